import { createReadStream, type Stats, statSync } from "node:fs";
import { usageError } from "../errors.ts";
import type { Io } from "../io.ts";

/**
 * The bytes of a file, or of standard input for `-`.
 * @param what for messages: "an archive"
 * @throws {CliError} when there is no such file, or it is larger than `maxBytes`
 */
export function readInput(io: Io, file: string, what: string, maxBytes: number): AsyncIterable<Uint8Array> {
  if (file === "-") {
    if (io.stdin.isTTY) throw usageError(`Standard input is a terminal, and ${what} is expected there.`);
    return io.stdin;
  }
  const { size } = requireFile(file);
  if (size > maxBytes) {
    const mib = (bytes: number): number => Math.ceil(bytes / (1024 * 1024));
    throw usageError(`${file} has ${mib(size)} MiB; ${what} may have at most ${mib(maxBytes)}.`);
  }
  return createReadStream(file);
}

/** @throws {CliError} unless it is a file */
export function requireFile(file: string): Stats {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats) throw usageError(`There is no file ${file}.`);
  if (!stats.isFile()) throw usageError(`${file} is not a file.`);
  return stats;
}
