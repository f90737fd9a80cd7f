import { describe, expect, it } from "vitest";
import { resolvePeer } from "./peers.ts";

const peers = [
  { id: "ada", displayName: "Reviewer" },
  { id: "bob", displayName: "ada" },
  { id: "eve", displayName: "Zoë" },
  { id: "twin-1", displayName: "Twin" },
  { id: "twin-2", displayName: "TWIN" },
];

describe("resolvePeer", () => {
  it.each([
    ["an exact id, even if another is called that", "ada", "ada"],
    ["a display name", "Reviewer", "ada"],
    ["a display name in another case", "reVIEWer", "ada"],
    ["a display name beyond ASCII", "ZOË", "eve"],
    ["a display name in another case than the id it equals", "ADA", "bob"],
  ])("finds %s", (_, wanted, id) => {
    expect(resolvePeer(peers, wanted)).toBe(id);
  });

  it.each(["Review", "Reviewer ", "BOB", ""])("does not guess what %j may mean", (wanted) => {
    expect(() => resolvePeer(peers, wanted)).toThrowError(expect.objectContaining({ code: "NOT_FOUND" }));
  });

  it("names the ids when a name is ambiguous", () => {
    expect(() => resolvePeer(peers, "twin")).toThrowError(
      expect.objectContaining({ code: "CONFLICT", details: { ids: ["twin-1", "twin-2"] } }),
    );
  });
});
