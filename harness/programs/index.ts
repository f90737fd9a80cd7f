import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { opencode } from "./opencode.ts";
import type { Program } from "./program.ts";

/** The programs that can be run without a person at them. */
export const programs: readonly Program[] = [claudeCode, codex, opencode];

export function findProgramOf(client: string): Program | undefined {
  return programs.find((each) => each.client === client);
}
