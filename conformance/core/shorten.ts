const MAX_TEXT = 300;
const MAX_ITEMS = 20;
const MAX_DEPTH = 8;

/** A copy of `value` that a person can read: long text and long lists are cut, and say how long they were. */
export function shorten(value: unknown, depth = 0): unknown {
  if (typeof value === "string") {
    return value.length <= MAX_TEXT ? value : `${value.slice(0, MAX_TEXT)}... (${value.length} characters)`;
  }
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) return "...";
  if (Array.isArray(value)) {
    const shown: unknown[] = value.slice(0, MAX_ITEMS).map((entry) => shorten(entry, depth + 1));
    return value.length <= MAX_ITEMS ? shown : [...shown, `... (${value.length} entries)`];
  }
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, shorten(entry, depth + 1)]));
}
