import { escapeForTerminal } from "./text.ts";
import { displayWidth, pad, truncate } from "./width.ts";

export interface Column<Row> {
  readonly title: string;
  /** The cell's text, as it came: control characters are escaped here. */
  readonly cell: (row: Row) => string;
  readonly align?: "left" | "right";
  /** Narrower than its content when the terminal is too small; others keep their width. Give it the least useful width. */
  readonly shrinkTo?: number;
  /** Left out of terminals with fewer columns than this. */
  readonly dropBelow?: number;
}

const GAP = "  ";

/** An aligned table that fits `width` columns, as far as its shrinkable columns allow. No width: as wide as it needs. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], width?: number): string {
  const cells = rows.map((row) => columns.map((column) => escapeForTerminal(column.cell(row))));
  const used = columns.map((_, index) => cells.some((row) => row[index] !== ""));
  const fits = ({ dropBelow = 0 }: Column<Row>): boolean => width === undefined || width >= dropBelow;
  const shown = columns.flatMap((column, index) =>
    (used[index] || rows.length === 0) && fits(column) ? [{ column, index }] : [],
  );
  const natural = shown.map(({ column, index }) =>
    Math.max(displayWidth(column.title), ...cells.map((row) => displayWidth(row[index] as string))),
  );
  const widths = fit(
    natural,
    shown.map(({ column }) => column.shrinkTo),
    width,
  );
  const line = (texts: readonly string[]): string =>
    texts
      .map((text, at) => {
        const room = widths[at] as number;
        return pad(truncate(text, room), room, shown[at]?.column.align);
      })
      .join(GAP)
      .trimEnd();
  const header = line(shown.map(({ column }) => column.title.toUpperCase()));
  return [header, ...cells.map((row) => line(shown.map(({ index }) => row[index] as string)))].join("\n");
}

/** Takes what is too much from the widest shrinkable column, a column at a time. */
function fit(natural: readonly number[], minima: readonly (number | undefined)[], width: number | undefined): number[] {
  const widths = [...natural];
  if (width === undefined) return widths;
  let excess = widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1)) - width;
  while (excess > 0) {
    let widest = -1;
    for (const [index, each] of widths.entries()) {
      const minimum = minima[index];
      if (minimum === undefined || each <= minimum) continue;
      if (widest < 0 || each > (widths[widest] as number)) widest = index;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] as number) - 1;
    excess -= 1;
  }
  return widths;
}

/** Aligned `name  value` lines. Entries without a value are left out. */
export function facts(entries: readonly (readonly [name: string, value: string | undefined])[]): string {
  const present = entries.filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const width = Math.max(0, ...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${escapeForTerminal(value)}`).join("\n");
}
