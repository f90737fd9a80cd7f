import { type Environment, entryPath, isOff, type Plan } from "../../connect/index.ts";
import type { Printer } from "../output/printer.ts";
import { escapeBlockForTerminal, escapeForTerminal, indent } from "../output/text.ts";

/** A path as people read it: `~` for the home folder. */
export function shortPath(path: string, { homedir, platform }: Pick<Environment, "homedir" | "platform">): string {
  const separator = platform === "win32" ? "\\" : "/";
  return path.startsWith(homedir + separator) ? `~${path.slice(homedir.length)}` : path;
}

/** Text as an indented block, harmless in a terminal. */
export function quoted(text: string): string {
  return indent(escapeBlockForTerminal(text.trimEnd()), "    ");
}

/** What was done to a file, as one sentence. */
export function deedText(
  { action, profile, file, entry: settings }: Plan,
  environment: Environment,
  out: Printer,
): string {
  const name = out.paint("bold", profile.name);
  const path = escapeForTerminal(shortPath(file.path, environment));
  const entry = entryPath(profile).join(" > ");
  switch (action) {
    case "add":
      return `${name} is connected. ${file.was ? "Added to" : "Made"} ${path}, under ${entry}:`;
    case "update":
      return `${name} is connected. Changed in ${path}, under ${entry}:`;
    case "remove":
      return `${name} is no longer connected. Removed ${entry} from ${path}.`;
    case "none":
      return isOff(settings)
        ? `${name} is connected in ${path}, but there the server is switched off. Nothing was changed.`
        : `${name} is already connected in ${path}. Nothing was changed.`;
  }
}

/** Numbered steps, longer ones wrapped to a readable width. */
export function stepsText(steps: readonly string[], width = 100): string {
  return steps
    .map((step, index) => {
      const number = `${index + 1}. `;
      return wrap(step, Math.min(width, 100) - number.length)
        .map((line, at) => (at === 0 ? number : " ".repeat(number.length)) + line)
        .join("\n");
    })
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
