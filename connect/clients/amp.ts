import { defineClient } from "../profile.ts";

const file = ["{home}/.config/amp/settings.json"];
const folder = ["{home}/.config/amp"];

export const amp = defineClient({
  id: "amp",
  name: "Amp",
  docs: "https://ampcode.com/manual",
  sources: ["set-up guides of other projects"],
  format: "jsonc",
  // One key with a dot in it, not two.
  root: ["amp.mcpServers"],
  files: {
    certainty: "unverified",
    user: { linux: file, darwin: file, win32: file },
    project: ["{project}/.amp/settings.json"],
  },
  detect: {
    paths: { linux: folder, darwin: folder, win32: folder },
    programs: [{ name: "amp", versionArgs: ["--version"] }],
  },
  stdio: {
    certainty: "unverified",
    entry: { command: "{command}", args: ["{args}"] },
    environment: "unknown",
  },
  http: {
    unavailable:
      "Amp is not known to put variables into headers, so the token would have to be in the file; over stdio none is needed.",
  },
  activate: "Start a new session of Amp.",
  approval: "Amp asks before it uses a tool, unless `amp.permissions` allows it.",
  notes: ["Servers in a project's file are used only after you approve them."],
});
