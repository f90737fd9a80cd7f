import { defineClient } from "../profile.ts";

const file = ["{home}/.kiro/settings/mcp.json"];
const folder = ["{home}/.kiro"];

export const kiro = defineClient({
  id: "kiro",
  name: "Kiro",
  docs: "https://kiro.dev/docs/mcp/configuration/",
  sources: ["its documentation", "configuration writers of other projects"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "documented",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.kiro/settings/mcp.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [
      { name: "kiro", versionArgs: ["--version"] },
      { name: "kiro-cli", versionArgs: ["--version"] },
    ],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    defaults: { disabled: false },
    environment: "unknown",
  },
  http: {
    certainty: "documented",
    reference: "dollar",
    entry: { url: "{url}", headers: { Authorization: "Bearer {token}" } },
    defaults: { disabled: false },
  },
  activate: "Kiro connects again when the file is saved; its MCP panel shows the server.",
  approval: "Kiro asks before it uses a tool; `autoApprove` in the entry lists tools that need no question.",
  notes: ["Kiro may ask once whether it may use the variable AGENT_INTERCOM_TOKEN."],
});
