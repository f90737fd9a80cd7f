import process from "node:process";
import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** `app.commandLine`: the switches this process was started with, and those the app adds. */
export class CommandLine extends Offered {
  readonly #switches = new Map<string, string>();

  constructor(words: readonly string[]) {
    super();
    for (const word of words) {
      const [, name, value] = /^--([^=]+)=?(.*)$/s.exec(word) ?? [];
      if (name) this.#switches.set(name, value ?? "");
    }
  }

  appendSwitch(name: string, value = ""): void {
    recordings.add("commandLine", "appendSwitch", name, value);
    this.#switches.set(name, value);
  }

  appendArgument(value: string): void {
    recordings.add("commandLine", "appendArgument", value);
  }

  hasSwitch(name: string): boolean {
    return this.#switches.has(name);
  }

  getSwitchValue(name: string): string {
    return this.#switches.get(name) ?? "";
  }

  removeSwitch(name: string): void {
    this.#switches.delete(name);
  }
}

/** The words after the executable; a real Electron leaves its own flags among them, too. */
export const commandLine: CommandLine = new CommandLine(process.argv.slice(2));
