import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** Electron's `clipboard`: one of the app's own, so that no test touches the person's. */
class Clipboard extends Offered {
  #text = "";
  #html = "";

  readText(): string {
    return this.#text;
  }

  writeText(text: string): void {
    recordings.add("clipboard", "writeText", text);
    this.#text = text;
    this.#html = "";
  }

  readHTML(): string {
    return this.#html;
  }

  write(data: { text?: string; html?: string }): void {
    recordings.add("clipboard", "write", data);
    this.#text = data.text ?? "";
    this.#html = data.html ?? "";
  }

  clear(): void {
    recordings.add("clipboard", "clear");
    this.#text = "";
    this.#html = "";
  }
}

export const clipboard: Clipboard = new Clipboard();
