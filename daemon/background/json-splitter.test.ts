import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Handling, JsonSplitter } from "./json-splitter.ts";

/** Takes a text apart: `list` is a list, `inner` an object with one. Gives what came, in order. */
function split(chunks: readonly Buffer[]): unknown[] {
  const came: unknown[] = [];
  const splitter = new JsonSplitter({
    begin: (path): Handling => {
      if (path === "inner") return "object";
      return path === "list" || path === "inner.list" ? "list" : "whole";
    },
    value: (path, index, value) => came.push([path, index, value]),
  });
  for (const chunk of chunks) splitter.write(chunk);
  splitter.end();
  return came;
}

/** The same of a value, the plain way. */
function expected(value: Readonly<Record<string, unknown>>, prefix = ""): unknown[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const path = prefix + name.replaceAll(".", "\\.");
    if (path === "inner") return expected(member as Record<string, unknown>, "inner.");
    if (path !== "list" && path !== "inner.list") return [[path, undefined, member]];
    return (member as unknown[]).map((entry, index) => [path, index, entry]);
  });
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [0, ...at.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}

const value = fc.jsonValue({ maxDepth: 4 });
const document = fc.record({
  list: fc.array(value, { maxLength: 5 }),
  "list.list": value,
  'quoted "name"\\': value,
  inner: fc.record({ list: fc.array(value, { maxLength: 3 }), "€": value }),
});

describe("JSON that is taken apart as it comes", () => {
  it("gives the values it has, wherever it is cut and however it is laid out", () => {
    fc.assert(
      fc.property(
        document,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.constantFrom("", "\t", 3),
        (whole, at, indent) => {
          const bytes = Buffer.from(JSON.stringify(whole, null, indent));
          // As it is read again: JSON has one zero only.
          const reread = JSON.parse(bytes.toString()) as Record<string, unknown>;
          expect(split(cut(bytes, at))).toEqual(expected(reread));
        },
      ),
    );
  });

  it("gives them when it comes byte by byte", () => {
    const whole = { list: [1, 'ü🚀\\"', { a: [{}] }, [], null, true], inner: { list: [] }, "": -0.5e3 };
    const bytes = Buffer.from(JSON.stringify(whole));
    expect(split(Array.from(bytes, (byte) => Buffer.from([byte])))).toEqual(expected(whole));
  });

  it("takes nothing that JSON.parse does not take, whatever is changed in it", () => {
    const text = JSON.stringify({ list: [1, { a: "b" }], inner: { list: ["x"] }, more: [true] });
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'{}[]:,"\\ 0atn'), fc.nat(2), (at, character, how) => {
        const changed = text.slice(0, at) + (how === 0 ? "" : character) + text.slice(at + (how === 2 ? 0 : 1));
        let came: unknown[] | undefined;
        try {
          came = split([Buffer.from(changed)]);
        } catch {
          return;
        }
        expect(came).toEqual(expected(JSON.parse(changed) as Record<string, unknown>));
      }),
      { numRuns: 500 },
    );
  });
});
