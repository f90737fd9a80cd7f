import { defineClient } from "../profile.ts";

export const claudeDesktop = defineClient({
  id: "claude-desktop",
  name: "Claude Desktop",
  docs: "https://modelcontextprotocol.io/docs/develop/connect-local-servers",
  sources: ["configuration writers of other projects", "modelcontextprotocol.io"],
  format: "json",
  root: ["mcpServers"],
  files: {
    certainty: "documented",
    user: {
      // Sources disagree about the case of the folder's name on Linux.
      linux: ["{xdgConfig}/Claude/claude_desktop_config.json", "{xdgConfig}/claude/claude_desktop_config.json"],
      darwin: ["{appSupport}/Claude/claude_desktop_config.json"],
      win32: ["{appData}/Claude/claude_desktop_config.json"],
    },
  },
  detect: {
    paths: {
      linux: ["{xdgConfig}/Claude", "{xdgConfig}/claude/claude_desktop_config.json"],
      darwin: ["{appSupport}/Claude"],
      win32: ["{appData}/Claude"],
    },
    programs: [],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "filtered",
  },
  http: {
    unavailable:
      "Claude Desktop starts programs from this file only; servers with an address are added in its settings, under Connectors.",
  },
  activate: "Quit Claude Desktop completely, also from the tray or menu bar, and start it again.",
  approval: "Claude Desktop asks before it uses a tool; choose to always allow those you trust.",
});
