// Checks the import rules of the house (import-rules.ts), circles, and file length. `npm run imports` prints one line per
// violation: file:line, what, and the rule it breaks.
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import process from "node:process";
import { ownFiles } from "./bootstrap/files.mjs";
import { findCycles } from "./import-cycles.ts";
import { maxLines, packageHomes, privateRooms, rooms } from "./import-rules.ts";
import { type Import, scanImports } from "./import-scan.ts";

/** One broken rule. */
export interface Violation {
  file: string;
  line: number;
  what: string;
  rule: string;
}

/** Checks a set of files. Keys are paths from the project's top folder, with forward slashes. */
export function checkImports(files: ReadonlyMap<string, string>): Violation[] {
  const violations: Violation[] = [];
  const graph = new Map<string, Set<string>>();
  const roomGraph = new Map<string, Set<string>>();
  for (const [file, text] of files) {
    violations.push(...checkLength(file, text));
    const imports = scanImports(text);
    const edges = new Set<string>();
    graph.set(file, edges);
    for (const each of imports) {
      const target = resolveOurs(file, each.specifier);
      // Types vanish before anything runs, so a circle of types alone has no load order to break.
      if (target && !each.typeOnly) edges.add(target);
      if (target && !isTest(file)) connect(roomGraph, topOf(file), topOf(target));
      const broken = isTest(file) ? undefined : (checkBuiltin(file, each) ?? checkTarget(file, each, target));
      if (broken) violations.push({ file, line: each.line, ...broken });
    }
    if (file.includes("/") && !rooms[topOf(file)]) {
      violations.push({ file, line: 1, what: `${topOf(file)}/ is not a room of the house`, rule: "rooms" });
    }
  }
  return [...violations, ...checkCycles(graph, "files"), ...checkCycles(roomGraph, "rooms")].sort(byPlace);
}

type Broken = Pick<Violation, "what" | "rule">;

function checkTarget(file: string, { specifier }: Import, target: string | undefined): Broken | undefined {
  if (isBuiltin(specifier)) return undefined;
  if (target === undefined) return checkPackage(file, packageOf(specifier));
  const { name, room } = roomOf(file);
  if (isTest(target)) return { what: `imports the test ${target}`, rule: "nothing but tests imports tests" };
  const top = topOf(target);
  if (room.ours === "any" || top === target || inside(target, name)) return undefined;
  if (room.ours.some((allowed) => inside(target, allowed))) return undefined;
  const rule = privateRooms.includes(top)
    ? `${top}/ is for development only`
    : `${name}/ may import of ours: ${room.ours.join(", ") || "nothing"}`;
  return { what: `imports ${target}`, rule };
}

function checkPackage(file: string, name: string): Broken | undefined {
  const homes = packageHomes[name];
  if (homes && !homes.some((home) => inside(file, home)) && !inside(file, "test")) {
    return {
      what: `imports ${name}`,
      rule: `only ${homes.map((home) => `${home}/`).join(" and ")} may import ${name}`,
    };
  }
  const { name: roomName, room } = roomOf(file);
  if (!room.packages || room.packages.includes(name)) return undefined;
  return { what: `imports ${name}`, rule: `${roomName} may import packages: ${room.packages.join(", ") || "none"}` };
}

function checkBuiltin(file: string, { specifier }: Import): Broken | undefined {
  if (!isBuiltin(specifier)) return undefined;
  const { name, room } = roomOf(file);
  if (!room.builtins || room.builtins.includes(specifier)) return undefined;
  return {
    what: `imports ${specifier}`,
    rule: `${name} may import Node modules: ${room.builtins.join(", ") || "none"}`,
  };
}

function checkLength(file: string, text: string): Violation[] {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines <= maxLines || isTest(file) || file.includes("/generated/")) return [];
  return [{ file, line: maxLines + 1, what: `has ${lines} lines`, rule: `a file has at most ${maxLines} lines` }];
}

function checkCycles(graph: ReadonlyMap<string, ReadonlySet<string>>, of: string): Violation[] {
  return findCycles(graph).map((cycle) => ({
    file: cycle[0] ?? "",
    line: 1,
    what: cycle.join(" -> "),
    rule: `no import circles between ${of}`,
  }));
}

/** The row of the table for a file: its longest folder (or the file itself) that has one. */
function roomOf(file: string): { name: string; room: Room } {
  for (let name = file; name !== "."; name = posix.dirname(name)) {
    const room = rooms[name];
    if (room) return { name, room };
  }
  // Files in the top folder configure tools; a folder without a row is reported on its own.
  return { name: ".", room: { ours: "any" } };
}

type Room = (typeof rooms)[string];

function resolveOurs(file: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? posix.join(posix.dirname(file), specifier) : undefined;
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

function inside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function topOf(path: string): string {
  return path.split("/")[0] ?? path;
}

function isTest(file: string): boolean {
  return inside(file, "test") || /\.test\.[cm]?tsx?$/.test(file);
}

function connect(graph: Map<string, Set<string>>, from: string, to: string): void {
  if (from === to || !rooms[from] || !rooms[to]) return;
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

function byPlace(a: Violation, b: Violation): number {
  return a.file.localeCompare(b.file) || a.line - b.line;
}

function main(): void {
  const root = posix.join(import.meta.dirname.replaceAll("\\", "/"), "..");
  const sources = ownFiles(root).filter((file) => /\.([cm]?ts|tsx|mjs)$/.test(file));
  const violations = checkImports(new Map(sources.map((file) => [file, readFileSync(`${root}/${file}`, "utf8")])));
  for (const { file, line, what, rule } of violations) console.log(`${file}:${line} ${what} (rule: ${rule})`);
  console.log(violations.length === 0 ? `${sources.length} files keep the rules` : `${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

// Compared by name, since Node 22 lacks import.meta.main, and a path spelled differently must not skip the check in silence.
if (posix.basename(process.argv[1]?.replaceAll("\\", "/") ?? "") === "check-imports.ts") main();
