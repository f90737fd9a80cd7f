import { describe, expect, it } from "vitest";
import { ID_PREFIXES, IDENTIFIER_PATTERN, type IdKind } from "../../protocol/index.ts";
import { TimeOrderedIds } from "./ids.ts";

/** Checks without building a set of strings: what is sorted strictly is unique. */
function expectStrictlySorted(ids: Iterable<string>): void {
  let last = "";
  for (const id of ids) {
    if (id <= last) throw new Error(`${id} came after ${last}`);
    last = id;
  }
}

function* take(ids: TimeOrderedIds, count: number, before: (index: number) => void = () => {}): Generator<string> {
  for (let index = 0; index < count; index += 1) {
    before(index);
    yield ids.next("message");
  }
}

describe("ids", () => {
  it("are a prefix and 32 hex digits of a version 7 UUID of the present", () => {
    const now = Date.UTC(2026, 5, 1);
    const ids = new TimeOrderedIds(() => now);
    for (const kind of Object.keys(ID_PREFIXES) as IdKind[]) {
      const id = ids.next(kind);
      expect(id).toMatch(IDENTIFIER_PATTERN);
      expect(id.slice(ID_PREFIXES[kind].length)).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      expect(Number.parseInt(id.slice(ID_PREFIXES[kind].length).slice(0, 12), 16)).toBe(now);
    }
  });

  it("sort by when they were made and differ, a million of the real clock", () => {
    expectStrictlySorted(take(new TimeOrderedIds(Date.now), 1_000_000));
  });

  it("sort and differ while the clock stands still", () => {
    expectStrictlySorted(take(new TimeOrderedIds(() => 5), 20_000));
  });

  it("sort and differ when the clock steps back, and follow it again once it has caught up", () => {
    let now = 1_000_000;
    const ids = new TimeOrderedIds(() => now);
    const steps = take(ids, 50_000, (index) => {
      if (index % 1000 === 500) now -= 3_600_000;
      else if (index % 7 === 0) now += 1;
    });
    expectStrictlySorted(steps);
    now = 2_000_000_000_000;
    expect(ids.next("message").slice(4, 16)).toBe(now.toString(16).padStart(12, "0"));
  });

  it("of two sources differ at the same instant", () => {
    const [a, b] = [new TimeOrderedIds(() => 1), new TimeOrderedIds(() => 1)];
    expect(new Set([...take(a, 2000), ...take(b, 2000)]).size).toBe(4000);
  });
});

describe("tokens", () => {
  it("are 32 random bytes in base64url", () => {
    const ids = new TimeOrderedIds(() => 1);
    const tokens = Array.from({ length: 1000 }, () => ids.token());
    expect(new Set(tokens).size).toBe(1000);
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });
});
