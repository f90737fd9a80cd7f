import { defineClient } from "../profile.ts";

export const vscode = defineClient({
  id: "vscode",
  name: "VS Code",
  docs: "https://code.visualstudio.com/docs/copilot/reference/mcp-configuration",
  sources: ["its documentation of MCP", "github.com/microsoft/vscode/issues/336232"],
  format: "jsonc",
  // Not `mcpServers`, as nearly everywhere else.
  root: ["servers"],
  files: {
    certainty: "documented",
    user: {
      linux: ["{xdgConfig}/Code/User/mcp.json"],
      darwin: ["{appSupport}/Code/User/mcp.json"],
      win32: ["{appData}/Code/User/mcp.json"],
    },
    project: ["{project}/.vscode/mcp.json"],
  },
  detect: {
    paths: { linux: ["{xdgConfig}/Code"], darwin: ["{appSupport}/Code"], win32: ["{appData}/Code"] },
    programs: [{ name: "code", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    entry: { type: "stdio", command: "{command}", args: ["{args}"] },
    environment: "unknown",
  },
  http: {
    unavailable:
      "VS Code does not put variables of the environment into headers, so the token would have to be in the file; over stdio none is needed.",
  },
  activate: "In VS Code run the command `MCP: List Servers`, choose intercom and start it.",
  approval: "VS Code asks whether you trust the server when it first starts, and before each tool until you allow it.",
  notes: ["A profile of VS Code other than the default has an `mcp.json` of its own: use --print and paste it there."],
});
