import { defineClient } from "../profile.ts";

// Others take XDG_CONFIG_HOME for the place of `.copilot` itself.
const file = ["{home}/.copilot/mcp-config.json", "{XDG_CONFIG_HOME}/mcp-config.json"];
const folder = ["{home}/.copilot"];

export const copilotCli = defineClient({
  id: "copilot-cli",
  name: "Copilot CLI",
  docs: "https://docs.github.com/en/copilot/how-tos/copilot-cli/customize-copilot/add-mcp-servers",
  sources: ["its documentation", "github.com/github/copilot-cli/issues/903", "configuration writers of other projects"],
  format: "jsonc",
  root: ["mcpServers"],
  files: {
    certainty: "documented",
    user: { linux: file, darwin: file, win32: file },
    // It also reads `.mcp.json`, which Claude Code has.
    project: ["{project}/.github/mcp.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "copilot", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    // Without `tools` none of them is offered.
    entry: { type: "local", command: "{command}", args: ["{args}"] },
    defaults: { tools: ["*"] },
    environment: "filtered",
  },
  http: {
    unavailable:
      "Copilot CLI expands variables for programs it starts but is not known to do so in headers, so the token would have to be in the file.",
  },
  activate: "Start a new session of Copilot CLI; /mcp in it shows the server.",
  approval: "Copilot CLI asks before it uses a tool; `--allow-tool intercom` allows all of them.",
});
