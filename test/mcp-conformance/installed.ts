import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

// In a folder of their own: nothing here is to find the packages they bring along.
const PACKAGES = join(import.meta.dirname, "official", "node_modules");

/** The folder of one of the packages that `npm run test:mcp` installs. */
export function packageFolder(name: string): string {
  return join(PACKAGES, name);
}

/** The file behind the command of a package. */
export function programFile(name: string, command: string): string {
  const { bin } = JSON.parse(readFileSync(join(packageFolder(name), "package.json"), "utf8"));
  return join(packageFolder(name), bin[command]);
}

export const SUITE = "@modelcontextprotocol/conformance";
export const INSPECTOR = "@modelcontextprotocol/inspector";

/** Whether all of them are there. Without them there is nothing to test here. */
export const areInstalled: boolean = [SUITE, INSPECTOR].every((name) => existsSync(packageFolder(name)));

/** Vitest calls this before the first test of this folder. */
export default function setup(): void {
  if (areInstalled) return;
  process.stdout.write(
    "Skipped: the tests with the official MCP tools, which are not installed. npm run test:mcp installs and runs them.\n",
  );
}
