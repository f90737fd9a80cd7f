import { defineClient } from "../profile.ts";

const file = ["{home}/.codeium/windsurf/mcp_config.json"];
const folder = ["{home}/.codeium/windsurf"];

export const windsurf = defineClient({
  id: "windsurf",
  name: "Windsurf",
  docs: "https://docs.windsurf.com/windsurf/cascade/mcp",
  sources: ["set-up guides of other projects"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "unverified",
    user: { linux: file, darwin: file, win32: file },
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "windsurf", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "unverified",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "unknown",
  },
  http: {
    certainty: "unverified",
    reference: "dollar-env",
    // With `url` it does not connect.
    entry: { serverUrl: "{url}", headers: { Authorization: "Bearer {token}" } },
  },
  activate: "In Windsurf open the MCP panel of Cascade and press refresh.",
  approval: "Windsurf asks before it uses a tool.",
  notes: [
    "For HTTP the variable must be set where Windsurf is started: started from the desktop it does not see your shell's.",
  ],
});
