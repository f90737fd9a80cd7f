// The door of every npm script: makes the checkout ready (Node, dependencies, build), then runs one command with it.
// Plain JavaScript without dependencies, because it runs before anything is installed and on whatever Node is there (16+).
import { chromiumReady } from "./bootstrap/chromium.mjs";
import { fetchElectron, findDesktop } from "./bootstrap/desktop.mjs";
import { chosenNode } from "./bootstrap/node-runtime.mjs";
import { compiledCli, packagesReady, ready } from "./bootstrap/ready.mjs";
import { explain } from "./bootstrap/report.mjs";
import { runBin, runCli, runElectron, runFile } from "./bootstrap/run.mjs";
import { harnessPrograms, mcpTools } from "./bootstrap/setup.mjs";

/**
 * What each command needs before it runs, and how it runs.
 * `needs`: "dependencies" stops after npm; "build" also compiles; "build-or-sources" compiles but goes on with a warning
 * when there are type errors, so that one half-written file does not keep all tests from running.
 * `prepare`: more that has to be there.
 * @typedef {{ needs: "dependencies" | "build" | "build-or-sources", say?: boolean,
 *   prepare?: (node: { path: string, version: string }, args: string[]) => Promise<void>,
 *   run?: (node: string, args: string[]) => Promise<number> }} Command
 * @type {Record<string, Command>}
 */
const commands = {
  setup: { needs: "build", say: true },
  build: { needs: "build", say: true },
  start: {
    needs: "build",
    prepare: async (node, args) => {
      const desktop = args.length > 0 ? undefined : findDesktop();
      if (desktop && "fetchable" in desktop) await fetchElectron(node);
    },
    run: start,
  },
  demo: { needs: "build", run: (node, args) => runFile(node, "dist/cli/main.js", ["demo", ...args]) },
  test: { needs: "build-or-sources", run: (node, args) => runBin(node, "vitest", ["run", ...args]) },
  "test-harness": {
    needs: "build-or-sources",
    prepare: (node) => packagesReady(node, harnessPrograms),
    run: (node, args) => runBin(node, "vitest", ["run", "--project", "harness", ...args]),
  },
  "test-mcp": {
    needs: "build-or-sources",
    prepare: (node) => packagesReady(node, mcpTools),
    run: (node, args) => runBin(node, "vitest", ["run", "--project", "mcp-conformance", ...args]),
  },
  "test-desktop": {
    needs: "build",
    prepare: () => chromiumReady(),
    run: (node, args) => runBin(node, "playwright", ["test", ...args]),
  },
  screenshots: {
    needs: "build",
    prepare: () => chromiumReady(),
    run: (node, args) => runShowcase(node, ["screenshots", ...args]),
  },
  "bench-desktop": {
    needs: "build",
    prepare: () => chromiumReady(),
    run: (node, args) => runShowcase(node, ["latency", ...args]),
  },
  bench: { needs: "build", run: (node, args) => runFile(node, "bench/main.ts", args) },
  cli: { needs: "dependencies", run: (node, args) => runCli(node, compiledCli() ?? "cli/main.ts", args) },
  run: { needs: "dependencies", run: (node, [file = "", ...args]) => runFile(node, file, args) },
  exec: { needs: "dependencies", run: (node, [bin = "", ...args]) => runBin(node, bin, args) },
};

/** Specs that make pictures or numbers and judge nothing, so no test run has them.
 * @param {string} node @param {string[]} args */
function runShowcase(node, args) {
  process.env.SHOWCASE = "1";
  return runBin(node, "playwright", ["test", "--project=showcase", ...args]);
}

/**
 * The desktop, where it can be opened; otherwise the daemon in this terminal, and a link for a browser. Arguments are the
 * daemon's.
 * @param {string} node @param {string[]} args
 */
async function start(node, args) {
  const desktop = args.length > 0 ? { missing: "there are options for the daemon" } : findDesktop();
  if ("electron" in desktop) return runElectron(node, desktop.electron);
  process.stderr.write(`The daemon runs in this terminal, without the desktop app: ${desktop.missing}.\n`);
  return runFile(node, "dist/cli/main.js", ["start", "--foreground", "--ui", ...args]);
}

const [name = "", ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;

try {
  if (!command) {
    process.stderr.write(`Usage: node build/bootstrap.mjs <${Object.keys(commands).join(" | ")}> [arguments]\n`);
    process.exitCode = 2;
  } else {
    const node = await chosenNode();
    await ready(node, command.needs);
    await command.prepare?.(node, args);
    if (command.say) process.stderr.write(`Ready: Node ${node.version}, dependencies and build are current.\n`);
    if (command.run) process.exitCode = await command.run(node.path, args);
  }
} catch (error) {
  process.stderr.write(explain(error));
  process.exitCode = 1;
}
