import { defineClient } from "../profile.ts";

export const zed = defineClient({
  id: "zed",
  name: "Zed",
  docs: "https://zed.dev/docs/ai/mcp",
  sources: [
    "its documentation",
    "github.com/zed-industries/zed/issues/60459",
    "configuration writers of other projects",
  ],
  format: "jsonc",
  root: ["context_servers"],
  files: {
    certainty: "documented",
    user: {
      linux: ["{xdgConfig}/zed/settings.json"],
      // Writers of other projects use the second ones.
      darwin: ["{home}/.config/zed/settings.json", "{appSupport}/Zed/settings.json"],
      win32: ["{appData}/Zed/settings.json", "{home}/.config/zed/settings.json"],
    },
    project: ["{project}/.zed/settings.json"],
  },
  detect: {
    paths: {
      linux: ["{xdgConfig}/zed"],
      darwin: ["{home}/.config/zed", "{appSupport}/Zed"],
      win32: ["{appData}/Zed", "{home}/.config/zed"],
    },
    programs: [
      { name: "zed", versionArgs: ["--version"] },
      { name: "zeditor", versionArgs: ["--version"] },
    ],
  },
  stdio: {
    certainty: "documented",
    entry: { source: "custom", command: "{command}", args: ["{args}"] },
    defaults: { enabled: true },
    environment: "unknown",
  },
  http: {
    unavailable:
      "Zed sends headers as they are written, so the token would have to be in the file; over stdio none is needed.",
  },
  activate: "Zed notices the change by itself; the agent panel's settings show the server with a green dot.",
  approval: "Zed asks before it uses a tool, unless `agent.tool_permissions` allows it.",
});
