import { defineClient } from "../profile.ts";

export const goose = defineClient({
  id: "goose",
  name: "Goose",
  docs: "https://block.github.io/goose/docs/guides/config-files",
  sources: ["its documentation", "github.com/aaif-goose/goose/pull/5439", "configuration writers of other projects"],
  format: "yaml",
  root: ["extensions"],
  files: {
    certainty: "documented",
    user: {
      linux: ["{xdgConfig}/goose/config.yaml"],
      darwin: ["{home}/.config/goose/config.yaml"],
      win32: ["{appData}/Block/goose/config/config.yaml"],
    },
  },
  detect: {
    paths: {
      linux: ["{xdgConfig}/goose"],
      darwin: ["{home}/.config/goose"],
      win32: ["{appData}/Block/goose"],
    },
    programs: [{ name: "goose", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    entry: { type: "stdio", name: "intercom", cmd: "{command}", args: ["{args}"] },
    defaults: { enabled: true, timeout: 300, description: "Messages, tasks and questions between agents" },
    environment: "unknown",
  },
  http: {
    certainty: "documented",
    reference: "dollar",
    entry: {
      type: "streamable_http",
      name: "intercom",
      uri: "{url}",
      // Only variables listed here are put into headers.
      env_keys: ["AGENT_INTERCOM_TOKEN"],
      headers: { Authorization: "Bearer {token}" },
    },
    defaults: { enabled: true, timeout: 300, description: "Messages, tasks and questions between agents" },
  },
  timeout: { key: "timeout", unit: "s", about: "The limit of one call of a tool." },
  activate: "Start a new session of Goose; `goose configure` lists the extension.",
  approval: "Goose asks before it uses a tool unless its mode is auto.",
  notes: ["Goose writes its file anew when its settings change, and comments in it are lost then."],
});
