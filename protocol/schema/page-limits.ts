import { ID_PREFIXES, IDENTIFIER_PATTERN } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { code, page, table } from "./markdown.ts";

/** The page of bounds and ids. */
export function limitsPage(): string {
  return page("Limits and ids", [
    "## Limits",
    "Each bound is accepted at its value and refused one above it. Text limits are UTF-8 bytes. What does not fit one call is " +
      "`INVALID_ARGUMENT`; what the daemon or a scope holds too much of already is `BACKPRESSURE`.",
    table(
      ["limit", "value"],
      Object.entries(LIMITS).map(([name, value]) => [code(name), quantity(name, value)]),
    ),
    "## Ids",
    `Ids match \`${IDENTIFIER_PATTERN.source}\` and are compared byte by byte. Those the daemon makes are a prefix and 32 lower-case ` +
      "hexadecimal digits of a time-ordered UUID, so they sort by creation. Ids of scopes and agents may be chosen by whoever " +
      "makes them; do not read anything out of an id.",
    table(
      ["of", "prefix"],
      Object.entries(ID_PREFIXES).map(([kind, prefix]) => [kind, code(prefix)]),
    ),
  ]);
}

function quantity(name: string, value: number): string {
  if (name.includes("Bytes")) return `${value} bytes`;
  if (name.endsWith("Ms")) return value % 1000 === 0 ? `${value} ms (${duration(value)})` : `${value} ms`;
  return String(value);
}

/** Whole seconds or more in the largest unit that fits evenly. */
function duration(ms: number): string {
  const units = [
    [86_400_000, "d"],
    [3_600_000, "h"],
    [60_000, "min"],
  ] as const;
  const [size, unit] = units.find(([each]) => ms % each === 0) ?? [1000, "s"];
  return `${ms / size} ${unit}`;
}
