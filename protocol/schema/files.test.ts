import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { ERROR_CODES, EVENT_TYPES, ID_PREFIXES, LIMITS, operationNames } from "../index.ts";
import { GENERATED, generatedFiles } from "./files.ts";
import { jsonText } from "./json-text.ts";

const root = join(import.meta.dirname, "../..");
const files = generatedFiles();

describe("generated files", () => {
  test.each([...files])("%s is current (npm run protocol:build)", (path, text) => {
    // Whole files as a diff would fill the screen; the name is what one needs.
    expect(readFileSync(join(root, path), "utf8").replaceAll("\r\n", "\n") === text, path).toBe(true);
  });

  test("are all there is in their folder", () => {
    const found = readdirSync(join(root, GENERATED), { recursive: true, withFileTypes: true });
    const wanted = [...files.keys()].filter((path) => path.startsWith(GENERATED));
    expect(found.filter((entry) => entry.isFile())).toHaveLength(wanted.length);
  });

  test("come out the same each time", () => {
    expect([...generatedFiles()]).toEqual([...files]);
  });
});

describe("schema files", () => {
  const schema = (name: string) => JSON.parse(files.get(`${GENERATED}/schemas/${name}`) ?? "") as { $defs: object };
  const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { "date-time": true } });
  ajv.addVocabulary(["x-maxBytes"]);
  for (const name of ["objects.json", "inputs.json", "results.json", "events.json"]) ajv.addSchema(schema(name), name);

  test("hold one definition per operation and event type, which refer to each other by file name", () => {
    expect(Object.keys(schema("inputs.json").$defs)).toEqual(operationNames);
    expect(Object.keys(schema("results.json").$defs)).toEqual(operationNames);
    expect(Object.keys(schema("events.json").$defs)).toEqual(EVENT_TYPES);
    for (const name of operationNames) {
      expect(() => ajv.compile({ $ref: `inputs.json#/$defs/${name}` }), name).not.toThrow();
      expect(() => ajv.compile({ $ref: `results.json#/$defs/${name}` }), name).not.toThrow();
    }
  });

  test("tell event types apart by their type", () => {
    const validate = ajv.compile({ $ref: "events.json#/$defs/task.claimed" });
    const event = {
      id: "evt_1",
      scopeId: "s",
      type: "task.claimed",
      subjectId: "task_1",
      revision: 1,
      attributes: { claimedBy: "a", later: "b" },
      createdAt: "2026-11-29T10:00:00.000Z",
    };
    expect(validate(event)).toBe(true);
    expect(validate({ ...event, type: "task.done" })).toBe(false);
    expect(validate({ ...event, attributes: { claimedBy: 1 } })).toBe(false);
  });
});

describe("the reference page", () => {
  const page = files.get("docs/protocol/reference.md") ?? "";

  test("has every operation, code, event type, prefix and limit", () => {
    for (const name of operationNames) expect(page).toContain(`</a>${name}\n`);
    const codes = [...ERROR_CODES, ...EVENT_TYPES, ...Object.values(ID_PREFIXES), ...Object.keys(LIMITS)];
    for (const code of codes) expect(page).toContain(`| \`${code}\` |`);
  });

  test("links only to places it has", () => {
    const targets = [...page.matchAll(/\]\(#([\w-]+)\)/g)].map((match) => match[1] as string);
    const headings = [...page.matchAll(/^#+ ([A-Z][a-z ]+)$/gm)].map((match) => (match[1] as string).toLowerCase());
    const places = new Set([
      ...[...page.matchAll(/<a id="([\w-]+)">/g)].map((match) => match[1] as string),
      ...headings.map((heading) => heading.replaceAll(" ", "-")),
    ]);
    expect(targets.length).toBeGreaterThan(100);
    for (const target of targets) expect(places).toContain(target);
  });

  test("has nothing that could not be described", () => {
    expect(page).not.toMatch(/undefined|\[object|NaN/);
    expect(page).not.toMatch(/ {2}\||\| {2}/);
  });
});

test("JSON is written as Biome would: objects spread out, short lists of plain values on one line", () => {
  const long = Array.from({ length: 30 }, () => "abcdef");
  const text = jsonText({ list: [1, "a"], empty: [], none: {}, nested: [{ a: null }], long });
  expect(text).toBe(
    [
      "{",
      '  "list": [1, "a"],',
      '  "empty": [],',
      '  "none": {},',
      '  "nested": [',
      "    {",
      '      "a": null',
      "    }",
      "  ],",
      '  "long": [',
      ...long.map((each, index) => `    "${each}"${index === long.length - 1 ? "" : ","}`),
      "  ]",
      "}",
      "",
    ].join("\n"),
  );
});
