// Writes the sections about clients in docs/connect.md from their profiles: node build/connect-page.ts
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clients } from "../connect/clients/index.ts";
import { buildEntry } from "../connect/entry.ts";
import type { Platform } from "../connect/environment.ts";
import { freshEntry, snippet } from "../connect/index.ts";
import type { ClientProfile, Transport } from "../connect/profile.ts";

const PAGE = join(import.meta.dirname, "../docs/connect.md");
const MARK = "<!-- From here on written by build/connect-page.ts, from the profiles in connect/clients/. -->\n";
const SYSTEMS: Readonly<Record<Platform, string>> = { linux: "Linux", darwin: "macOS", win32: "Windows" };
const EXAMPLE = {
  platform: "linux",
  launcher: { command: "/usr/local/bin/agent-intercom" },
  address: "http://127.0.0.1:4766",
} as const;

/** The page with its sections as the profiles have them now. */
export function connectPage(page: string): string {
  const [head] = page.split(MARK);
  return [head?.trimEnd(), "", MARK.trimEnd(), "", overview(), ...clients.map(section)]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

function overview(): string {
  const rows = clients.map((profile) => {
    const { id, name, files, http } = profile;
    const project = files.project?.map((place) => code(shown(place, "linux"))).join(", ") ?? "";
    const overHttp = "unavailable" in http ? "" : "yes";
    return `| [${name}](#${anchor(name)}) | \`${id}\` | ${project} | ${overHttp} | ${certainty(profile)} |`;
  });
  return ["| client | id | file in a project | HTTP | how sure |", "| --- | --- | --- | --- | --- |", ...rows, ""].join(
    "\n",
  );
}

/** As sure as the least sure fact that the stdio entry rests on. */
function certainty({ files, stdio }: ClientProfile): string {
  const levels = ["unverified", "documented", "measured"] as const;
  return levels.find((level) => files.certainty === level || stdio.certainty === level) ?? "";
}

function section(profile: ClientProfile): string {
  const { id, name, docs, files, stdio, http, minimumVersion, timeout, activate, approval, sources, notes } = profile;
  const sure = [
    `file ${files.certainty}`,
    `stdio ${stdio.certainty}`,
    ...("certainty" in http ? [`HTTP ${http.certainty}`] : []),
  ];
  const lines = [
    `## ${name}`,
    "",
    "```sh",
    `agent-intercom connect ${id}`,
    "```",
    "",
    ...userFiles(profile).map((line) => `- ${line}`),
    ...(files.project
      ? [`- **In a project:** ${files.project.map((place) => code(shown(place, "linux"))).join(", else ")}`]
      : []),
    ...(minimumVersion ? [`- **From version:** ${minimumVersion}`] : []),
    `- **Afterwards:** ${activate}`,
    `- **Approval:** ${approval}`,
    ...(timeout ? [`- **Time limit:** \`${timeout.key}\`, in ${timeout.unit}. ${timeout.about}`] : []),
    ...notes.map((note) => `- ${note}`),
    `- **How sure:** ${sure.join(", ")}; from ${sources.join(", ")}. Its documentation: <${docs}>`,
    "",
    ...block(profile, "stdio"),
    ...("unavailable" in http
      ? [`**Over HTTP:** no. ${http.unavailable}`, ""]
      : ["Over HTTP:", "", ...block(profile, "http")]),
  ];
  return lines.join("\n");
}

/** One line, or one for each system where they differ. */
function userFiles({ files }: ClientProfile): string[] {
  const texts = Object.entries(SYSTEMS).map(([system, name]) => {
    const platform = system as Platform;
    return [name, files.user[platform].map((place) => code(shown(place, platform))).join(", else ")] as const;
  });
  const same = new Set(files.user.linux.concat(files.user.darwin, files.user.win32)).size === files.user.linux.length;
  const [first] = texts;
  return same && first ? [`**File:** ${first[1]}`] : texts.map(([name, text]) => `**File, ${name}:** ${text}`);
}

function block(profile: ClientProfile, transport: Transport): string[] {
  const text = snippet(profile, freshEntry(buildEntry(profile, transport, EXAMPLE)));
  return [`\`\`\`${profile.format}`, text.trimEnd(), "```", ""];
}

/** A place as people write it on a system. */
function shown(place: string, platform: Platform): string {
  const bases: Readonly<Record<string, string>> = {
    home: platform === "win32" ? "%USERPROFILE%" : "~",
    xdgConfig: "~/.config",
    appData: "%APPDATA%",
    appSupport: "~/Library/Application Support",
    project: "",
  };
  const text = place.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => bases[name] ?? (platform === "win32" ? `%${name}%` : `$${name}`),
  );
  return platform === "win32" ? text.replaceAll("/", "\\") : text.replace(/^\//, "");
}

function code(text: string): string {
  return `\`${text}\``;
}

function anchor(name: string): string {
  return name.toLowerCase().replaceAll(" ", "-");
}

if (process.argv[1] === import.meta.filename) writeFileSync(PAGE, connectPage(readFileSync(PAGE, "utf8")));
