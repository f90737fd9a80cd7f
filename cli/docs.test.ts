import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { expect, it } from "vitest";
import type { Invocation } from "./command.ts";
import { ENVIRONMENT } from "./commands/help.ts";
import { nouns } from "./commands/index.ts";
import { EXIT, EXIT_MEANINGS, type ExitName } from "./exit-codes.ts";

const page = readFileSync(join(import.meta.dirname, "..", "docs", "cli.md"), "utf8");
const unused = (): Invocation => {
  throw new Error("Only the shape of the commands is looked at");
};

it("docs/cli.md has every exit code and variable as help has them", () => {
  for (const [name, meaning] of Object.entries(EXIT_MEANINGS))
    expect(page).toContain(`| ${EXIT[name as ExitName]} | ${meaning} |`);
  for (const [name, meaning] of Object.entries(ENVIRONMENT)) {
    const words = (text: string) => text.replaceAll("`", "");
    expect(words(page)).toContain(`| ${name} | ${words(meaning)} |`);
  }
});

/** Every command that does something, with its words. */
function leavesOf(command: Command, path: string): [Command, string][] {
  if (command.commands.length === 0) return [[command, path]];
  return command.commands.flatMap((each) => leavesOf(each, `${path} ${each.name()}`));
}

it.each(nouns)("$name: documented, with examples in the help of each of its commands", async ({ name, load }) => {
  const command = new Command(name).summary("x");
  (await load())(command, unused);
  for (const [leaf, path] of leavesOf(command, name)) {
    let help = "";
    leaf.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    expect(help).toContain(`$ agent-intercom ${name}`);
    const documented = ["link add", "inbox show", "escalations list"].includes(path) ? name : path;
    expect(page).toContain(`\`${documented}`);
    for (const option of leaf.options) expect(option.description).not.toBe("");
  }
});
