import { chmodSync, closeSync, fstatSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { LogRecord, LogSink } from "./logger.ts";
import { escapeForTerminal } from "./terminal-text.ts";

/** One JSON object on one line. The record's own keys win over fields of the same name. */
export function jsonLine(record: LogRecord): string {
  const { time, level, message, fields } = record;
  return `${JSON.stringify({ ...{ time, level, message }, ...fields, ...{ time, level, message } })}\n`;
}

/** One line for a person: `12:00:01.250 warn  message  key=value`. */
export function prettyLine(record: LogRecord): string {
  const clock = record.time.slice(11, 23);
  const fields = Object.entries(record.fields).map(([key, value]) => ` ${key}=${fieldText(value)}`);
  return `${clock} ${record.level.padEnd(5)} ${escapeForTerminal(record.message)}${fields.length > 0 ? " " : ""}${fields.join("")}\n`;
}

function fieldText(value: unknown): string {
  const plain = typeof value === "string" && /^[\w.:/@-]+$/.test(value);
  return plain ? value : escapeForTerminal(JSON.stringify(value) ?? "undefined");
}

interface LineStream {
  write(line: string): unknown;
  on(event: "error", listener: () => void): unknown;
  readonly isTTY?: boolean;
}

/** Writes to the standard error stream: pretty on a terminal, JSON lines otherwise. */
export function stderrSink(stream: LineStream = process.stderr): LogSink {
  // A reader that went away must not end the daemon.
  stream.on("error", () => {});
  const format = stream.isTTY ? prettyLine : jsonLine;
  return { write: (record) => void stream.write(format(record)) };
}

export interface RotatingFileOptions {
  readonly directory: string;
  /** Base name without extension: `daemon` gives `daemon.log`, `daemon.1.log`, ... */
  readonly name: string;
  readonly maxBytes?: number | undefined;
  /** How many files are kept, the current one included. */
  readonly files?: number | undefined;
}

const MIB = 1024 * 1024;

/**
 * JSON lines in a file only the user can read, rotated by size (5 files of 5 MiB unless told otherwise). Lines are written at
 * once, so that the last words before a crash are there. A disk that refuses a line costs that line and nothing else.
 */
export function rotatingFileSink(options: RotatingFileOptions): LogSink & { readonly file: string } {
  const { directory, name, maxBytes = 5 * MIB, files = 5 } = options;
  const pathOf = (index: number): string => join(directory, index === 0 ? `${name}.log` : `${name}.${index}.log`);
  const file = pathOf(0);
  let descriptor: number | undefined;
  let size = 0;

  const open = (): number => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const opened = openSync(file, "a", 0o600);
    if (process.platform !== "win32") chmodSync(file, 0o600);
    size = fstatSync(opened).size;
    return opened;
  };
  const close = (): void => {
    if (descriptor !== undefined) closeSync(descriptor);
    descriptor = undefined;
  };
  const rotate = (): void => {
    close();
    rmSync(pathOf(files - 1), { force: true });
    for (let index = files - 2; index >= 0; index -= 1) renameIfThere(pathOf(index), pathOf(index + 1));
  };

  return {
    file,
    close,
    write(record) {
      const line = Buffer.from(jsonLine(record));
      try {
        descriptor ??= open();
        if (size > 0 && size + line.length > maxBytes) {
          rotate();
          descriptor = open();
        }
        size += writeSync(descriptor, line);
      } catch {
        // Try a fresh descriptor next time.
        try {
          close();
        } catch {
          descriptor = undefined;
        }
      }
    },
  };
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}
