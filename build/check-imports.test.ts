import { describe, expect, test } from "vitest";
import { checkImports } from "./check-imports.ts";
import { findCycles } from "./import-cycles.ts";
import { scanImports } from "./import-scan.ts";

function linesFor(files: Record<string, string>): string[] {
  return checkImports(new Map(Object.entries(files))).map(
    ({ file, line, what, rule }) => `${file}:${line} ${what} (${rule})`,
  );
}

describe("scanImports", () => {
  test("finds every form of import, with its line", () => {
    const text = [
      'import a from "one";',
      "import {",
      "  b,",
      '} from "two";',
      'export * from "three";',
      'import "four";',
      'const five = await import("five");',
      'import type { S } from "six";',
      'type Seven = import("seven").Seven;',
    ].join("\n");
    expect(scanImports(text)).toEqual([
      { specifier: "one", line: 1, typeOnly: false },
      { specifier: "two", line: 4, typeOnly: false },
      { specifier: "three", line: 5, typeOnly: false },
      { specifier: "four", line: 6, typeOnly: false },
      { specifier: "five", line: 7, typeOnly: false },
      { specifier: "six", line: 8, typeOnly: true },
      { specifier: "seven", line: 9, typeOnly: false },
    ]);
  });

  test("looks past comments and ordinary strings", () => {
    const text = [
      '// import a from "one";',
      "/* see",
      'import b from "two"; */',
      'const from = "x"; log("from", "y");',
    ];
    expect(scanImports(text.join("\n"))).toEqual([]);
  });
});

describe("findCycles", () => {
  test("shows each circle once, from its first name", () => {
    const graph = new Map([
      ["b", new Set(["c"])],
      ["c", new Set(["a", "d"])],
      ["a", new Set(["b"])],
      ["d", new Set<string>()],
      ["e", new Set(["e"])],
    ]);
    expect(findCycles(graph)).toEqual([
      ["a", "b", "c", "a"],
      ["e", "e"],
    ]);
  });
});

describe("checkImports", () => {
  test("accepts arrows that point down", () => {
    expect(
      linesFor({
        "protocol/index.ts": 'import { z } from "zod";',
        "client/index.ts": 'import { ops } from "../protocol/index.ts";',
        "client/node/run-file.ts": 'import fs from "node:fs";\nimport { Client } from "../index.ts";',
        "daemon/core/send.ts":
          'import { createHash } from "node:crypto";\nimport { ops } from "../../protocol/index.ts";',
        "daemon/store/sqlite.ts": 'import Database from "better-sqlite3";\nimport type { Tx } from "../core/tx.ts";',
        "daemon/http/app.ts": 'import express from "express";',
        "cli/main.ts": 'import { start } from "../daemon/index.ts";\nimport { Client } from "../client/index.ts";',
        "bench/main.ts": 'import { open } from "../daemon/store/sqlite.ts";',
        "vitest.config.ts": 'import reporter from "./build/summary-reporter.ts";',
      }),
    ).toEqual([]);
  });

  test("refuses arrows that point up or sideways", () => {
    expect(
      linesFor({
        "protocol/index.ts": 'import { x } from "../client/index.ts";',
        "client/index.ts": 'import { y } from "../daemon/index.ts";',
        "cli/main.ts": 'import { z } from "../daemon/store/sqlite.ts";',
        "daemon/core/send.ts": 'import { store } from "../store/sqlite.ts";',
        "daemon/index.ts": 'import { seed } from "../test/fixtures/seed.ts";',
      }),
    ).toEqual([
      "cli/main.ts:1 imports daemon/store/sqlite.ts (cli/ may import of ours: client, protocol, connect/index.ts, conformance/index.ts, daemon/index.ts, daemon/runtime, harness/index.ts)",
      "client/index.ts:1 imports daemon/index.ts (client/ may import of ours: protocol)",
      "daemon/core/send.ts:1 imports daemon/store/sqlite.ts (daemon/core/ may import of ours: protocol)",
      "daemon/index.ts:1 imports the test test/fixtures/seed.ts (nothing but tests imports tests)",
      "protocol/index.ts:1 imports client/index.ts (protocol/ may import of ours: nothing)",
    ]);
  });

  test("keeps packages and Node modules in their rooms", () => {
    expect(
      linesFor({
        "daemon/core/send.ts": 'import { readFile } from "node:fs/promises";\nimport { z } from "zod";',
        "daemon/http/app.ts": 'import Database from "better-sqlite3";',
        "client/index.ts": 'import { readFile } from "fs";\nimport { app } from "electron";',
        "protocol/index.ts": 'import Ajv from "ajv/dist/2020.js";',
      }),
    ).toEqual([
      "client/index.ts:1 imports fs (client may import Node modules: none)",
      "client/index.ts:2 imports electron (only main/ and preload/ may import electron)",
      "daemon/core/send.ts:1 imports node:fs/promises (daemon/core may import Node modules: node:crypto)",
      "daemon/core/send.ts:2 imports zod (daemon/core may import packages: none)",
      "daemon/http/app.ts:1 imports better-sqlite3 (only daemon/store/ and bench/ may import better-sqlite3)",
      "protocol/index.ts:1 imports ajv (protocol may import packages: zod)",
    ]);
  });

  test("leaves tests free, wherever they lie", () => {
    expect(
      linesFor({
        "daemon/core/send.test.ts": 'import { open } from "../store/sqlite.ts";\nimport { test } from "vitest";',
        "test/integration/walk.test.ts": 'import Database from "better-sqlite3";',
        "test/fixtures/seed.ts": 'import { open } from "../../daemon/store/sqlite.ts";',
      }),
    ).toEqual([]);
  });

  test("finds circles between files and between rooms, and lets types refer to each other", () => {
    expect(
      linesFor({
        "daemon/http/a.ts": 'import { b } from "./b.ts";',
        "daemon/http/b.ts": 'import { a } from "./a.ts";',
        "daemon/mcp/c.ts": 'import type { D } from "./d.ts";',
        "daemon/mcp/d.ts": 'import { c } from "./c.ts";\nimport { client } from "../../client/index.ts";',
        "client/index.ts": 'import type { C } from "../daemon/mcp/c.ts";',
      }),
    ).toEqual([
      "client:1 client -> daemon -> client (no import circles between rooms)",
      "client/index.ts:1 imports daemon/mcp/c.ts (client/ may import of ours: protocol)",
      "daemon/http/a.ts:1 daemon/http/a.ts -> daemon/http/b.ts -> daemon/http/a.ts (no import circles between files)",
      "daemon/mcp/d.ts:2 imports client/index.ts (daemon/ may import of ours: protocol)",
    ]);
  });

  test("asks to split long files, except tests and generated ones", () => {
    const long = "x;\n".repeat(401);
    expect(
      linesFor({
        "daemon/http/long.ts": long,
        "daemon/http/fits.ts": "x;\n".repeat(400),
        "daemon/http/long.test.ts": long,
        "protocol/generated/long.ts": long,
      }),
    ).toEqual(["daemon/http/long.ts:401 has 401 lines (a file has at most 400 lines)"]);
  });

  test("knows every room", () => {
    expect(linesFor({ "utils/misc.ts": "" })).toEqual(["utils/misc.ts:1 utils/ is not a room of the house (rooms)"]);
  });
});
