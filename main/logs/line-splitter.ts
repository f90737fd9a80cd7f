const LONGEST_LINE = 8192;

/** Cuts what comes piece by piece into lines; a line without an end is cut where it gets too long. */
export class LineSplitter {
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#tell(line);
    if (this.#rest.length > LONGEST_LINE) this.end();
  }

  /** Nothing more comes: what has no end yet is a line, too. */
  end(): void {
    const rest = this.#rest;
    this.#rest = "";
    this.#tell(rest);
  }

  #tell(line: string): void {
    const told = line.replace(/\r$/, "").slice(0, LONGEST_LINE);
    if (told !== "") this.#onLine(told);
  }
}
