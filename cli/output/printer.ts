import { styleText } from "node:util";
import type { CliError } from "../errors.ts";
import type { Io, Stream } from "../io.ts";
import { escapeBlockForTerminal, escapeForTerminal } from "./text.ts";

export type Style = "bold" | "dim" | "green" | "yellow" | "red" | "cyan";

/** Results go to standard output, everything else to standard error. With `json` results are JSON and notices stay away. */
export class Printer {
  readonly json: boolean;
  readonly now: () => number;
  readonly #io: Io;

  constructor(io: Io, json: boolean) {
    this.#io = io;
    this.json = json;
    this.now = io.now;
  }

  /** Columns to fit tables into; none when the output is not a terminal, so that pipes get everything. */
  get width(): number | undefined {
    const { isTTY, columns } = this.#io.stdout;
    return isTTY ? (columns ?? 80) : undefined;
  }

  /** The outcome of a command: `data` as one JSON document, or the text for a person. */
  result(data: unknown, text: () => string): void {
    this.#write(this.json ? `${JSON.stringify(data, null, 2)}\n` : lineEnd(text()));
  }

  /** One item of an endless outcome: a JSON line, or a line of text. */
  item(data: unknown, text: () => string): void {
    this.#write(this.json ? `${JSON.stringify(data)}\n` : lineEnd(text()));
  }

  /** Something to know that is not the outcome. */
  notice(text: string): void {
    if (!this.json) this.#io.stderr.write(lineEnd(text));
  }

  /** What a person can do next; only where a person is likely to read it. */
  hint(text: string): void {
    if (this.#io.stdout.isTTY) this.notice(this.#paint(this.#io.stderr, "dim", text));
  }

  error(error: CliError): void {
    const { code, message, hint, details, exitCode } = error;
    if (this.json) {
      this.#io.stderr.write(`${JSON.stringify({ error: { code, message, details, hint, exitCode } })}\n`);
      return;
    }
    const label = this.#paint(this.#io.stderr, "red", "Error:");
    this.#io.stderr.write(`${label} ${escapeForTerminal(message)}\n`);
    if (hint) this.#io.stderr.write(`${escapeBlockForTerminal(hint)}\n`);
  }

  paint(style: Style, text: string): string {
    return this.#paint(this.#io.stdout, style, text);
  }

  #write(text: string): void {
    this.#io.stdout.write(text);
  }

  #paint(stream: Stream, style: Style, text: string): string {
    return hasColour(stream, this.#io.env) ? styleText(style, text, { validateStream: false }) : text;
  }
}

function hasColour(stream: Stream, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}

function lineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
