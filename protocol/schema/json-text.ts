import type { Json } from "./json-schema.ts";

const WIDTH = 120;

/** Writes JSON the way Biome formats it: two spaces, objects spread out, lists of plain values on one line if they fit. */
export function jsonText(value: Json): string {
  return `${write(value, 0, 0)}\n`;
}

function write(value: Json, indent: number, column: number): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const list = Array.isArray(value);
  const entries: string[] = list
    ? value.map((item) => write(item, indent + 2, indent + 2))
    : Object.entries(value).map(([key, inner]) => {
        const label = `${JSON.stringify(key)}: `;
        return label + write(inner, indent + 2, indent + 2 + label.length);
      });
  const [open, close] = list ? "[]" : "{}";
  if (entries.length === 0) return `${open}${close}`;
  const line = `${open}${entries.join(", ")}${close}`;
  // One more column for the comma that may follow.
  if (list && !line.includes("\n") && column + line.length + 1 <= WIDTH) return line;
  const pad = " ".repeat(indent + 2);
  return `${open}\n${entries.map((entry) => pad + entry).join(",\n")}\n${" ".repeat(indent)}${close}`;
}
