const encoder = new TextEncoder();

/** The longest beginning of `value` that the daemon accepts as text of `maxBytes` UTF-8 bytes; `fallback` when nothing is left. */
export function boundedText(value: string, maxBytes: number, fallback: string): string {
  const clean = value.toWellFormed().replaceAll("\u0000", "");
  const { read } = encoder.encodeInto(clean, new Uint8Array(maxBytes));
  const bounded = clean.slice(0, read);
  return bounded.trim() === "" ? fallback : bounded;
}
