import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { clients } from "../../connect/index.ts";
import { programs } from "../../harness/index.ts";

/** Folder of their commands. */
export const BIN = join(import.meta.dirname, "node_modules", ".bin");

/** Where the program of a client lies, once `npm run test:harness` has installed it. */
export function programFile(client: string): string {
  const name = clients.find(({ id }) => id === client)?.detect.programs[0]?.name ?? client;
  return join(BIN, name);
}

/** Whether all of them are there. Without them there is nothing to test here. */
export const areInstalled: boolean = programs.every(({ client }) => existsSync(programFile(client)));

/** Vitest calls this before the first test of this folder. */
export default function setup(): void {
  if (areInstalled) return;
  process.stdout.write(
    "Skipped: the tests with real agent programs, which are not installed. npm run test:harness installs and runs them.\n",
  );
}
