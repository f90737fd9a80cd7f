import { defineClient } from "../profile.ts";

const file = ["{OPENCODE_CONFIG}", "{xdgConfig}/opencode/opencode.json", "{xdgConfig}/opencode/opencode.jsonc"];
const folder = ["{OPENCODE_CONFIG}", "{xdgConfig}/opencode"];

export const opencode = defineClient({
  id: "opencode",
  name: "OpenCode",
  docs: "https://opencode.ai/docs/mcp-servers",
  sources: ["runs of opencode 1.18.33", "its documentation"],
  format: "jsonc",
  root: ["mcp"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/opencode.json", "{project}/opencode.jsonc"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "opencode", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "measured",
    entry: { type: "local", command: ["{command}", "{args}"] },
    // One number limits both listing the tools and each call; waiting for mail takes up to 25 s.
    defaults: { enabled: true, timeout: 60_000 },
    environment: "sufficient",
  },
  http: {
    certainty: "measured",
    reference: "braces-env",
    entry: {
      type: "remote",
      url: "{url}",
      // Otherwise it looks for a place to sign in.
      oauth: false,
      headers: { Authorization: "Bearer {token}" },
    },
    defaults: { enabled: true, timeout: 60_000 },
  },
  timeout: { key: "timeout", unit: "ms", about: "The limit of one call of a tool; progress starts it again." },
  activate: "Restart OpenCode; `opencode mcp list` shows the server.",
  approval:
    'OpenCode allows tools of MCP servers by default; `permission: {"intercom_*": "ask"}` in its configuration changes that.',
  notes: [
    "Servers in a project's file are used only after `opencode mcp approve` in newer versions.",
    "All sessions of one folder share the server, so they are one agent.",
  ],
});
