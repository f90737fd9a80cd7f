import { defineClient } from "../profile.ts";

const file = ["{home}/.gemini/settings.json"];
const folder = ["{home}/.gemini"];

export const geminiCli = defineClient({
  id: "gemini-cli",
  name: "Gemini CLI",
  docs: "https://github.com/google-gemini/gemini-cli/blob/main/docs/tools/mcp-server.md",
  sources: ["runs of gemini 0.61.0 over HTTP", "its documentation"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.gemini/settings.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "gemini", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "filtered",
  },
  http: {
    certainty: "documented",
    reference: "dollar",
    // `url` would be the older transport with server-sent events.
    entry: { httpUrl: "{url}", headers: { Authorization: "Bearer {token}" } },
  },
  timeout: { key: "timeout", unit: "ms", about: "The limit of one call of a tool, 10 minutes unless set." },
  activate: "Start a new session of Gemini CLI; /mcp in it shows the server.",
  approval: 'Gemini CLI asks before it uses a tool; `"trust": true` in the entry allows all of them.',
  notes: [
    "Gemini CLI removes variables with TOKEN, KEY or SECRET in their names from the environment of programs it starts.",
    "In a folder it does not trust, Gemini CLI starts no servers.",
  ],
});
