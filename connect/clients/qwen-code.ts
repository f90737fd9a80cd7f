import { defineClient } from "../profile.ts";

const file = ["{home}/.qwen/settings.json"];
const folder = ["{home}/.qwen"];

export const qwenCode = defineClient({
  id: "qwen-code",
  name: "Qwen Code",
  docs: "https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp/",
  sources: ["runs of qwen 0.24.4 over HTTP", "its program text"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.qwen/settings.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "qwen", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "unverified",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "unknown",
  },
  http: {
    certainty: "documented",
    reference: "dollar",
    entry: { httpUrl: "{url}", headers: { Authorization: "Bearer {token}" } },
  },
  timeout: { key: "timeout", unit: "ms", about: "The limit of one call of a tool." },
  activate: "Start a new session of Qwen Code; /mcp in it shows the server.",
  approval: 'Qwen Code asks before it uses a tool; `"trust": true` in the entry allows all of them.',
  notes: ["Qwen Code shows tools of servers to the model only when it searches for them."],
});
