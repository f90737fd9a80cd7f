import { describe, expect, it } from "vitest";
import { facts, table } from "./table.ts";
import { displayWidth, pad, truncate } from "./width.ts";

const columns = [
  { title: "id", cell: (row: { id: string; title: string; n: number }) => row.id },
  { title: "title", cell: (row: { title: string }) => row.title, shrinkTo: 6 },
  { title: "n", cell: (row: { n: number }) => String(row.n), align: "right" as const },
];
const rows = [
  { id: "a", title: "short", n: 1 },
  { id: "bb", title: "a rather long title", n: 100 },
];

describe("table", () => {
  it("aligns columns, and takes the width it needs when there is no terminal", () => {
    expect(table(columns, rows)).toBe(
      ["ID  TITLE                  N", "a   short                  1", "bb  a rather long title  100"].join("\n"),
    );
  });

  it("shortens only what may be shortened, and no more than it must", () => {
    const lines = table(columns, rows, 20).split("\n");
    expect(lines).toEqual(["ID  TITLE          N", "a   short          1", "bb  a rather l…  100"]);
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(20);
    expect(table(columns, rows, 1)).toContain("bb  a rat…  100");
  });

  it("leaves out columns nobody fills, but not from an empty table", () => {
    const optional = [...columns, { title: "note", cell: () => "" }];
    expect(table(optional, rows)).not.toContain("NOTE");
    expect(table(optional, [])).toBe("ID  TITLE  N  NOTE");
  });

  it("drops columns a small terminal has no room for", () => {
    const droppable = [...columns, { title: "extra", cell: () => "x", dropBelow: 60 }];
    expect(table(droppable, rows, 59)).not.toContain("EXTRA");
    expect(table(droppable, rows, 60)).toContain("EXTRA");
    expect(table(droppable, rows)).toContain("EXTRA");
  });

  it("aligns wide characters and shows hostile ones as escapes", () => {
    const text = table(columns, [
      { id: "x", title: "漢字🚀", n: 1 },
      { id: "y", title: "e\u0301\u001b[2J", n: 2 },
    ]);
    expect(text).toBe(["ID  TITLE   N", "x   漢字🚀  1", "y   é\\e[2J  2".normalize("NFD")].join("\n"));
  });
});

describe("facts", () => {
  it("aligns values and leaves out those that are missing", () => {
    expect(
      facts([
        ["A", "1"],
        ["Longer", "2\n3"],
        ["Gone", undefined],
        ["Empty", ""],
      ]),
    ).toBe("A       1\nLonger  2\\n3");
  });
});

describe("width", () => {
  it("counts columns, not characters", () => {
    expect(["abc", "漢", "🚀", "👩‍💻", "e\u0301", ""].map(displayWidth)).toEqual([3, 2, 2, 2, 1, 0]);
  });

  it("cuts between characters as a reader sees them", () => {
    expect(truncate("abcdef", 4)).toBe("abc…");
    expect(truncate("👩‍💻👩‍💻👩‍💻", 4)).toBe("👩‍💻…");
    expect(truncate("abc", 3)).toBe("abc");
    expect(pad("漢", 4)).toBe("漢  ");
    expect(pad("7", 3, "right")).toBe("  7");
  });
});
