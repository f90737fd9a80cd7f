import { defineClient } from "../profile.ts";

const file = [`{CLAUDE_CONFIG_DIR}/.claude.json`, "{home}/.claude.json"];
const folder = ["{CLAUDE_CONFIG_DIR}", "{home}/.claude", "{home}/.claude.json"];

export const claudeCode = defineClient({
  id: "claude-code",
  name: "Claude Code",
  docs: "https://code.claude.com/docs/en/mcp",
  sources: ["runs of claude 2.1.197", "code.claude.com/docs/en/mcp", "its change log"],
  format: "json",
  root: ["mcpServers"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.mcp.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "claude", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "measured",
    entry: { type: "stdio", command: "{command}", args: ["{args}"] },
    environment: "sufficient",
  },
  http: {
    certainty: "measured",
    reference: "dollar",
    // Without `type` it takes an entry for a program to start.
    entry: { type: "http", url: "{url}", headers: { Authorization: "Bearer {token}" } },
  },
  timeout: {
    key: "timeout",
    unit: "ms",
    about: "A hard limit for each call of a tool; without it calls end after 5 minutes of silence.",
  },
  activate: "Start a new session of Claude Code; /mcp in it shows the server.",
  approval:
    "Claude Code asks before the first use of each tool. To allow them all, add `mcp__intercom` to `permissions.allow` in its settings.",
  notes: [
    "Claude Code writes to its user file while it runs. If it does so at the same moment, connecting tries again.",
    "`claude -p` asks its model without waiting for servers. To have it wait for 5 seconds at most, set `MCP_CONNECTION_NONBLOCKING=0` in its environment.",
    "Servers in a project's `.mcp.json` are used only after you approve them when the next session starts there.",
    "Some builds for Windows were reported to send the name of the variable instead of the token; connect over stdio there.",
  ],
});
