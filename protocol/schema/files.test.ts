import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import {
  commonErrors,
  ERROR_CODES,
  EVENT_TYPES,
  ID_PREFIXES,
  LIMITS,
  operationNames,
  operationOf,
  REFUSAL_REASONS,
} from "../index.ts";
import { GENERATED, generatedFiles } from "./files.ts";
import { EVERY_CALL } from "./guidance.ts";
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
  const ajv = new Ajv2020({ strict: true, strictTypes: false, formats: { "date-time": true, uri: true } });
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
      attributes: { claimedBy: "a", executionId: "exec_1", status: "claimed", later: "b" },
      createdAt: "2026-11-29T10:00:00.000Z",
    };
    expect(validate(event)).toBe(true);
    expect(validate({ ...event, type: "task.done" })).toBe(false);
    for (const wrong of [{ claimedBy: 1 }, { claimedBy: "" }, { executionId: undefined }, { status: "" }]) {
      expect(validate({ ...event, attributes: { ...event.attributes, ...wrong } }), JSON.stringify(wrong)).toBe(false);
    }
  });

  test("say of every event type when it happens and what it is about", () => {
    const { $defs } = schema("events.json") as { $defs: Record<string, Record<string, Record<string, object>>> };
    for (const [type, event] of Object.entries($defs)) {
      expect(event.description, type).toMatch(/^[A-Z].*\.$/);
      expect(event.properties?.subjectId, type).toHaveProperty("description", expect.stringMatching(/^[A-Z].*[.`]$/));
      expect(event.properties?.attributes, type).not.toHaveProperty("additionalProperties", false);
    }
  });
});

describe("the pages", () => {
  const page = (name: string) => files.get(`docs/protocol/${name}.md`) ?? "";
  const pages = [...files].filter(([path]) => path.endsWith(".md"));

  test("have every operation, code, event type, prefix and limit", () => {
    for (const name of operationNames) expect(page("operations")).toContain(`</a>${name}\n`);
    for (const type of EVENT_TYPES) expect(page("events")).toContain(`</a>${type}\n`);
    for (const code of ERROR_CODES) expect(page("errors")).toContain(`| \`${code}\` |`);
    for (const row of [...Object.values(ID_PREFIXES), ...Object.keys(LIMITS)]) {
      expect(page("limits")).toContain(`| \`${row}\` |`);
    }
  });

  test("have every code that any call may answer", () => {
    const common = operationNames.flatMap((name) => commonErrors(operationOf(name)));
    expect(Object.keys(EVERY_CALL)).toEqual(expect.arrayContaining([...new Set(common)]));
    expect(Object.keys(EVERY_CALL)).toHaveLength(ERROR_CODES.length);
    for (const reason of REFUSAL_REASONS) expect(page("errors")).toContain(`| \`reason\`: \`${reason}\` |`);
  });

  test("say of every operation which errors are its own", () => {
    for (const name of operationNames) {
      const op = operationOf(name);
      const text = page("operations").split(`</a>${name}\n`)[1]?.split("\n### ")[0] ?? "";
      const own = new Set([...op.errors, ...(op.idempotency === "key" ? ["CONFLICT"] : [])]);
      const listed = /^Answers .* (?:Errors: (.*)|No errors of its own)\.$/m.exec(text);
      expect(listed, name).not.toBeNull();
      const codes = [...(listed?.[1] ?? "").matchAll(/`(\w+)`/g)].map((match) => match[1] as string);
      expect(new Set(codes), name).toEqual(own);
    }
  });

  test.each(pages)("%s has nothing that could not be described", (_, text) => {
    expect(text).not.toMatch(/undefined|\[object [A-Z]|NaN/);
    expect(text).not.toMatch(/ {2}\||\| {2}/);
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
