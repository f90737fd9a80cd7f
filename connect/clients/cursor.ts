import { defineClient } from "../profile.ts";

const file = ["{home}/.cursor/mcp.json"];

export const cursor = defineClient({
  id: "cursor",
  name: "Cursor",
  docs: "https://cursor.com/docs/context/mcp",
  sources: ["configuration writers of other projects", "its documentation"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "documented",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.cursor/mcp.json"],
  },
  detect: {
    paths: {
      linux: ["{home}/.cursor", "{xdgConfig}/Cursor"],
      darwin: ["{home}/.cursor", "{appSupport}/Cursor"],
      win32: ["{home}/.cursor", "{appData}/Cursor"],
    },
    programs: [
      { name: "cursor", versionArgs: ["--version"] },
      { name: "cursor-agent", versionArgs: ["--version"] },
    ],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "unknown",
  },
  http: {
    certainty: "documented",
    reference: "dollar-env",
    entry: { url: "{url}", headers: { Authorization: "Bearer {token}" } },
  },
  activate: "Open Cursor's settings, Tools and MCP, and switch intercom on; restart Cursor if it is not listed.",
  approval: "Cursor asks before it runs a tool, unless auto-run is on.",
  notes: [
    "Cursor sends only the first 40 tools of all servers together to the model; switch off servers you do not use.",
    "For HTTP the variable must be set where Cursor is started: started from the desktop it does not see your shell's.",
  ],
});
