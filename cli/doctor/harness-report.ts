import { type ClientProfile, type Environment, findClient } from "../../connect/index.ts";
import { type Evidence, isGood } from "../../harness/index.ts";
import { shortPath } from "../connect/report.ts";
import type { Printer } from "../output/printer.ts";
import { escapeForTerminal } from "../output/text.ts";

/** A client whose program was put through a round trip. */
export interface Examined {
  readonly evidence: Evidence;
  /** Where the evidence was written. */
  readonly file: string;
  readonly program: string;
  readonly tookMs: number;
}

/** What is behind the name of a check. */
const MEANINGS: Readonly<Record<string, string>> = {
  starts: "it starts with our entry in its configuration, and ends",
  tools: "it offers our tools to its model",
  discover: "it finds the other agent",
  send: "its request arrives there",
  receive: "a question from there arrives in its inbox",
  reply: "its reply to that arrives there",
  answer: "the answer to its own request arrives",
  acknowledge: "what it has dealt with is acknowledged",
};

/** What each program has shown, for people. */
export function harnessText(
  examined: readonly Examined[],
  missing: readonly ClientProfile[],
  machine: Environment,
  out: Printer,
): string {
  const failed = examined.filter(({ evidence }) => !isGood(evidence)).length;
  return [
    ...examined.map((each) => examinedText(each, machine, out)),
    ...missing.map(({ name }) => `${name} was not found on the PATH.\n`),
    failed === 0 ? "All is well." : `Not everything works with ${failed} of ${examined.length}.`,
  ].join("\n");
}

function examinedText({ evidence, file, program, tookMs }: Examined, machine: Environment, out: Printer): string {
  const { client, clientVersion, checks } = evidence;
  const name = findClient(client)?.name ?? client;
  const width = Math.max(...checks.map((check) => check.name.length));
  const lines = checks.map((check) => {
    const mark = check.ok ? out.paint("green", "ok  ") : out.paint("red", "FAIL");
    const meaning = MEANINGS[check.name] ?? "";
    const detail = check.detail === undefined ? "" : ` (${escapeForTerminal(check.detail)})`;
    return `  ${mark}  ${check.name.padEnd(width)}  ${meaning}${detail}`.trimEnd();
  });
  return [
    `${out.paint("bold", name)} ${escapeForTerminal(clientVersion)}, over stdio, in ${(tookMs / 1000).toFixed(1)} s`,
    `  ${escapeForTerminal(shortPath(program, machine))}`,
    ...lines,
    `  Written down in ${escapeForTerminal(shortPath(file, machine))}`,
    "",
  ].join("\n");
}
