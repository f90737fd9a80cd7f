export { escapeBlockForTerminal, escapeForTerminal } from "../../daemon/runtime/terminal-text.ts";

/** `1 message`, `3 messages`, `2 replies` with its own plural. */
export function count(n: number, noun: string, plural = `${noun}s`): string {
  return `${n} ${n === 1 ? noun : plural}`;
}

export function indent(block: string, by: string): string {
  return block
    .split("\n")
    .map((line) => (line === "" ? line : by + line))
    .join("\n");
}

export function bytes(n: number): string {
  if (n < 1024) return `${n} B`;
  const units = ["KiB", "MiB", "GiB", "TiB"];
  let value = n / 1024;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}
