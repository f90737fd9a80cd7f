import { defineClient } from "../profile.ts";

const file = ["{CODEX_HOME}/config.toml", "{home}/.codex/config.toml"];
const folder = ["{CODEX_HOME}", "{home}/.codex"];

export const codex = defineClient({
  id: "codex",
  name: "Codex",
  docs: "https://developers.openai.com/codex/mcp",
  sources: ["runs of codex-cli 0.171.0", "its source"],
  format: "toml",
  root: ["mcp_servers"],
  files: {
    certainty: "measured",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.codex/config.toml"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "codex", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "measured",
    entry: { command: "{command}", args: ["{args}"] },
    defaults: {
      // Codex hands on only HOME, LANG, PATH and a few more; these lead to the daemon.
      env_vars: ["XDG_RUNTIME_DIR", "AGENT_INTERCOM_RUNTIME_DIR", "AGENT_INTERCOM_DATA_DIR"],
      startup_timeout_sec: 20,
      tool_timeout_sec: 60,
    },
    environment: "sufficient",
  },
  http: {
    certainty: "measured",
    reference: "name",
    entry: { url: "{url}", bearer_token_env_var: "{token}" },
    defaults: { startup_timeout_sec: 20, tool_timeout_sec: 60 },
  },
  timeout: {
    key: "tool_timeout_sec",
    unit: "s",
    about: "The limit of one call of a tool; progress does not extend it.",
  },
  activate: "Start a new session of Codex; `codex mcp list` shows the server.",
  approval:
    'Codex asks before it uses a tool, and `codex exec` refuses tools that change something. To allow them all, add `default_tools_approval_mode = "approve"` to the entry.',
  notes: [
    "Codex gives the programs it starts only a few variables of its environment, hence the list in `env_vars`.",
    "`codex exec` asks its model after about a second, with the tools of the servers that are ready by then. To have it wait, add `required = true` to the entry; then it does not start without the server.",
    "A project's `.codex/config.toml` counts only in projects that Codex trusts.",
    "Codex refuses tokens written into the file, and does not expand variables in it.",
  ],
});
