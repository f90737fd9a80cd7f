import type { ClientProfile } from "../profile.ts";
import { amp } from "./amp.ts";
import { claudeCode } from "./claude-code.ts";
import { claudeDesktop } from "./claude-desktop.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import { geminiCli } from "./gemini-cli.ts";
import { goose } from "./goose.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwenCode } from "./qwen-code.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";
import { zed } from "./zed.ts";

/** Every client we know how to connect, in the order in which lists show them. */
export const clients: readonly ClientProfile[] = [
  claudeCode,
  claudeDesktop,
  codex,
  opencode,
  cursor,
  vscode,
  geminiCli,
  copilotCli,
  windsurf,
  zed,
  cline,
  kiro,
  goose,
  amp,
  qwenCode,
  pi,
];

export function findClient(id: string): ClientProfile | undefined {
  return clients.find((client) => client.id === id);
}
