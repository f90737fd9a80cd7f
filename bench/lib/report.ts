/** One line of the result table. A row without a target only reports. */
export interface Row {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: { readonly atLeast?: number; readonly atMost?: number };
  readonly note?: string;
}

function meets({ value, target }: Row): boolean {
  return (
    value >= (target?.atLeast ?? Number.NEGATIVE_INFINITY) && value <= (target?.atMost ?? Number.POSITIVE_INFINITY)
  );
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function targetText({ target }: Row): string {
  if (!target) return "";
  return target.atLeast === undefined ? `<= ${target.atMost}` : `>= ${target.atLeast}`;
}

export function table(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    `${round(row.value)} ${row.unit}`.trim(),
    targetText(row),
    row.target ? (meets(row) ? "ok" : "MISSED") : "",
    row.note ?? "",
  ]);
  const head = ["what", "value", "target", "", "note"];
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((line) => (line[column] ?? "").length)),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}

export function missed(rows: readonly Row[]): Row[] {
  return rows.filter((row) => row.target && !meets(row));
}
