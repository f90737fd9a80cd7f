import type { Command } from "commander";
import { wholeNumber } from "./arguments.ts";
import type { Printer } from "./output/printer.ts";

/** Options of a list that is read forwards. */
export interface ForwardPage {
  readonly limit: number;
  readonly after?: string;
}

/** Options of a list that is read newest first. */
export interface BackwardPage {
  readonly limit: number;
  readonly before?: string;
}

export function forwardPage(command: Command): Command {
  return command
    .option("--limit <n>", "at most this many", wholeNumber(1, 500), 100)
    .option("--after <cursor>", "continue a long list");
}

export function backwardPage(command: Command, limit = 20): Command {
  return command
    .option("--limit <n>", "at most this many, the newest ones", wholeNumber(1, 100), limit)
    .option("--before <cursor>", "continue with older ones");
}

/** Tells how to read on. */
export function noticeMore(out: Printer, option: "--after" | "--before", cursor: string | undefined): void {
  if (cursor !== undefined) out.notice(`There are more. Continue with ${option} ${cursor}`);
}
