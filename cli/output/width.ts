const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

// The blocks whose characters take two columns (Unicode East Asian Width W and F), coarsely.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u;
const NARROW_ONLY = /^[\x20-\x7e]*$/;

/** Columns `text` takes in a terminal. */
export function displayWidth(text: string): number {
  if (NARROW_ONLY.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** `text` cut to at most `width` columns; a cut shows as an ellipsis. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = used + graphemeWidth(segment);
    if (next > width - 1) break;
    kept += segment;
    used = next;
  }
  return `${kept.trimEnd()}…`;
}

/** `text` filled up with blanks to `width` columns. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const fill = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + fill : fill + text;
}

function graphemeWidth(segment: string): number {
  if (/^\p{M}+$/u.test(segment)) return 0;
  return WIDE.test(segment) ? 2 : 1;
}
