import { defineClient } from "../profile.ts";

const inEditor = "User/globalStorage/saoudrizwan.claude-dev";
const settings = "settings/cline_mcp_settings.json";
const ofItsOwn = ["{home}/.cline/data/settings/cline_mcp_settings.json", "{home}/.cline/mcp.json"];

export const cline = defineClient({
  id: "cline",
  name: "Cline",
  docs: "https://docs.cline.bot/mcp/configuring-mcp-servers",
  sources: ["configuration writers of other projects", "github.com/cline/cline/issues/3533"],
  format: "json",
  root: ["mcpServers"],
  files: {
    // The extension keeps its file with the editor, the command line in the home folder, and sources differ about where.
    certainty: "documented",
    user: {
      linux: [
        `{CLINE_DIR}/data/${settings}`,
        `{xdgConfig}/Code/${inEditor}/${settings}`,
        `{xdgConfig}/Cursor/${inEditor}/${settings}`,
        ...ofItsOwn,
      ],
      darwin: [
        `{CLINE_DIR}/data/${settings}`,
        `{appSupport}/Code/${inEditor}/${settings}`,
        `{appSupport}/Cursor/${inEditor}/${settings}`,
        ...ofItsOwn,
      ],
      win32: [
        `{CLINE_DIR}/data/${settings}`,
        `{appData}/Code/${inEditor}/${settings}`,
        `{appData}/Cursor/${inEditor}/${settings}`,
        ...ofItsOwn,
      ],
    },
  },
  detect: {
    paths: {
      linux: ["{CLINE_DIR}", `{xdgConfig}/Code/${inEditor}`, `{xdgConfig}/Cursor/${inEditor}`, "{home}/.cline"],
      darwin: ["{CLINE_DIR}", `{appSupport}/Code/${inEditor}`, `{appSupport}/Cursor/${inEditor}`, "{home}/.cline"],
      win32: ["{CLINE_DIR}", `{appData}/Code/${inEditor}`, `{appData}/Cursor/${inEditor}`, "{home}/.cline"],
    },
    programs: [{ name: "cline", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "documented",
    entry: { command: "{command}", args: ["{args}"] },
    defaults: { disabled: false },
    environment: "filtered",
  },
  http: {
    unavailable:
      "Cline is not known to put variables into headers, so the token would have to be in the file; over stdio none is needed.",
  },
  timeout: { key: "timeout", unit: "s", about: "The limit of one call of a tool, 60 unless set." },
  activate: "Open Cline's MCP servers panel; intercom appears there, press restart if it does not.",
  approval: "Cline asks before it uses a tool; `autoApprove` in the entry lists tools that need no question.",
  notes: [
    "Cline in VS Code, Cline in Cursor and the cline command have a file each; the first one that exists is used, the others take the output of --print.",
  ],
});
