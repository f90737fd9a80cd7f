import fc from "fast-check";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { editConfig, type Format, parseConfig } from "../../connect/edit/edit.ts";
import { jsoncDocument } from "../fixtures/config-documents/jsonc-document.ts";
import { tomlDocument } from "../fixtures/config-documents/toml-document.ts";
import { yamlDocument } from "../fixtures/config-documents/yaml-document.ts";

const NAME = "intercom";
const paths: Readonly<Record<Format, readonly string[]>> = {
  json: ["mcpServers", NAME],
  jsonc: ["mcpServers", NAME],
  toml: ["mcp_servers", NAME],
  yaml: ["extensions", NAME],
};

const words = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("C:\\x y\\z.exe", "$A", "# no", "yes", "1"),
);
const parts = {
  command: words,
  args: fc.array(words, { maxLength: 4 }),
  headers: fc.dictionary(fc.constantFrom("A", "b-c", "d e"), words, { maxKeys: 2, noNullPrototype: true }),
  timeout: fc.integer({ min: 0, max: 1e9 }),
  enabled: fc.boolean(),
};
const entry = fc.record(parts, { noNullPrototype: true });
type Wanted = typeof entry extends fc.Arbitrary<infer T> ? T : never;

/** Everything in `part` is in `whole`, in the same order: nothing was taken away or moved. */
function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (at < part.length && part.startsWith(sign, at)) at += sign.length;
  return at === part.length;
}

function check(format: Format, text: string, wanted: Wanted, other: Wanted): void {
  const path = paths[format];
  const [root] = path as [string, string];
  const file = "f";
  const before = parseConfig({ format, file, text });
  const table = before[root] as object | undefined;
  // That the meaning of all the rest stays is what editConfig itself checks; a fault there would be thrown here.
  const added = editConfig({ format, file, text }, path, wanted);
  expect(parseConfig({ format, file, text: added })[root]).toEqual({ ...table, [NAME]: wanted });
  const updated = editConfig({ format, file, text: added }, path, other);
  expect(parseConfig({ format, file, text: updated })[root]).toEqual({ ...table, [NAME]: other });
  for (const edited of [added, updated]) {
    const removed = editConfig({ format, file, text: edited }, path, undefined);
    // TOML has no table above ours to stay behind; in the others one that was there with entries comes back byte for byte.
    if (format === "toml" || (table && Object.keys(table).length > 0)) expect(removed).toBe(text);
    else expect(parseConfig({ format, file, text: removed })).toEqual({ ...before, [root]: {} });
  }
  if (format === "toml" || (table && Object.keys(table).length > 0)) expect(isSubsequence(text, added)).toBe(true);
}

describe("adding, changing and removing our entry in any document", () => {
  it("JSON with comments", () => {
    fc.assert(
      fc.property(jsoncDocument, entry, entry, (text, a, b) => check("jsonc", text, a, b)),
      { numRuns: 300 },
    );
  });

  it("TOML", () => {
    const valid = tomlDocument.filter((text) => {
      try {
        return Boolean(parseToml(text));
      } catch {
        return false;
      }
    });
    fc.assert(
      fc.property(valid, entry, entry, (text, a, b) => check("toml", text, a, b)),
      { numRuns: 300 },
    );
  });

  it("YAML", () => {
    const valid = yamlDocument.filter((text) => {
      try {
        return parseDocument(text).errors.length === 0 && Boolean(parseDocument(text).toJS() ?? {});
      } catch {
        return false;
      }
    });
    fc.assert(
      fc.property(valid, entry, entry, (text, a, b) => check("yaml", text, a, b)),
      { numRuns: 60 },
    );
  });
});
