import { defineClient } from "../profile.ts";

const file = ["{PI_CODING_AGENT_DIR}/mcp.json", "{home}/.pi/agent/mcp.json"];
const folder = ["{PI_CODING_AGENT_DIR}", "{home}/.pi/agent"];

export const pi = defineClient({
  id: "pi",
  name: "Pi",
  docs: "https://github.com/earendil-works/pi",
  sources: ["runs of pi 1.6.0 over HTTP", "its documentation and change log"],
  minimumVersion: "0.99.0",
  format: "json",
  root: ["mcpServers"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.pi/mcp.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "pi", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    // By default tools can be reached from scripts only, and the model does not see them.
    defaults: { exposure: "direct" },
    environment: "unknown",
  },
  http: {
    certainty: "documented",
    reference: "dollar",
    entry: { url: "{url}", headers: { Authorization: "Bearer {token}" } },
    defaults: { exposure: "direct" },
  },
  timeout: { key: "timeout", unit: "s", about: "The limit of one request, 60 unless set; progress starts it again." },
  activate: "Run /reload in Pi or start it again; /mcp in it shows the server.",
  approval: "Pi uses tools without asking.",
  notes: [
    "Versions before 0.99 have no MCP: update, or install an extension of Pi that provides it.",
    "A project's `.pi/mcp.json` counts only in projects that Pi trusts.",
  ],
});
