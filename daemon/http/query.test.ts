import { describe, expect, it } from "vitest";
import { operationNames, operationOf, parseInput } from "../../protocol/index.ts";
import { queryCoercions, readQuery } from "./query.ts";

function read(name: "listEvents" | "listTasksPage" | "listMessages", query: string) {
  return readQuery(query, queryCoercions(operationOf(name)));
}

describe("query", () => {
  it("knows numbers and flags of every operation from its schema", () => {
    const kinds = Object.fromEntries(
      operationNames.flatMap((name) =>
        [...queryCoercions(operationOf(name))]
          .filter(([, kind]) => kind !== "text")
          .map(([field, kind]) => [field, kind]),
      ),
    );
    expect(kinds).toMatchObject({ limit: "integer", waitMs: "integer", leaseMs: "integer", ready: "boolean" });
    // A field means the same wherever it is read from a query, except `after`: a revision of events, a text elsewhere.
    expect(queryCoercions(operationOf("listEvents")).get("after")).toBe("integer");
    expect(queryCoercions(operationOf("listTasksPage")).get("after")).toBe("text");
  });

  it("turns text into what the schema speaks of", () => {
    expect(read("listEvents", "after=0&limit=100&waitMs=25000")).toEqual({ after: 0, limit: 100, waitMs: 25_000 });
    expect(read("listTasksPage", "ready=true&status=open&after=12")).toEqual({
      ready: true,
      status: "open",
      after: "12",
    });
    expect(read("listTasksPage", "ready=false")).toEqual({ ready: false });
  });

  it.each(["1.5", "1e3", "0x10", " 1", "1 ", "+1", "12345678901234567", "ten", "NaN"])(
    "leaves %j as it is, for the schema to refuse",
    (value) => {
      const input = read("listEvents", new URLSearchParams({ limit: value }).toString());
      expect(input).toEqual({ limit: value });
      expect(() => parseInput(operationOf("listEvents").input, input)).toThrow(/^limit: expected a whole number/);
    },
  );

  it.each(["TRUE", "1", "yes"])("does not guess that %j is a flag", (value) => {
    const input = read("listTasksPage", `ready=${value}`);
    expect(() => parseInput(operationOf("listTasksPage").input, input)).toThrow(/^ready: expected true or false/);
  });

  it("takes an empty value for an absent one", () => {
    expect(read("listEvents", "")).toEqual({});
    expect(read("listEvents", "after=&limit")).toEqual({});
  });

  it("refuses a field that is given twice", () => {
    for (const query of ["limit=1&limit=1", "limit=1&limit=2", "x=1&y=2&x=3"]) {
      expect(() => read("listEvents", query)).toThrow(/: expected once$/);
    }
  });

  it("decodes names and values", () => {
    expect(read("listMessages", "agent=Zo%C3%AB&peer=a+b%2Bc")).toEqual({ agent: "Zoë", peer: "a b+c" });
  });

  it.each(["__proto__=x", "constructor=x", "toString=x", "surprise=1"])(
    "does not swallow the unknown field of %s",
    (query) => {
      const name = query.split("=")[0];
      expect(() => parseInput(operationOf("listEvents").input, read("listEvents", query))).toThrow(
        `${name}: unknown field; expected after, limit, waitMs`,
      );
    },
  );
});
