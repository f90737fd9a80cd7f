import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../test/fixtures/temporary-directory.ts";
import { type Evidence, isGood, readEvidence, writeEvidence } from "./evidence.ts";

const path = useTemporaryDirectory();

function evidence(changes: Partial<Evidence> = {}): Evidence {
  return {
    client: "codex",
    clientVersion: "1.0.0",
    platform: "linux",
    arch: "x64",
    date: "2026-05-01T10:00:00.000Z",
    productVersion: "0.1.0",
    checks: [{ name: "starts", ok: true }],
    ...changes,
  };
}

describe("evidence", () => {
  it("is read back as it was written, by its owner alone, in a file named after client and version", () => {
    const file = writeEvidence(path(), evidence());
    expect(file).toBe(path("evidence", "codex-1.0.0.json"));
    expect(readEvidence(path()).get("codex")).toEqual(evidence());
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path("evidence"))).toEqual(["codex-1.0.0.json"]);
  });

  it("of the same version is replaced, and of several versions the latest counts", () => {
    writeEvidence(path(), evidence());
    writeEvidence(path(), evidence({ clientVersion: "2.0.0", date: "2026-05-03T10:00:00.000Z" }));
    writeEvidence(path(), evidence({ date: "2026-05-02T10:00:00.000Z" }));
    writeEvidence(path(), evidence({ client: "opencode" }));
    const latest = [...readEvidence(path()).values()].map(({ client, clientVersion }) => [client, clientVersion]);
    expect(latest.sort()).toEqual([
      ["codex", "2.0.0"],
      ["opencode", "1.0.0"],
    ]);
    expect(readdirSync(path("evidence"))).toHaveLength(3);
  });

  it("keeps within its folder, whatever a program calls its version", () => {
    expect(writeEvidence(path(), evidence({ clientVersion: "../../x y" }))).toBe(
      path("evidence", "codex-..-..-x-y.json"),
    );
  });

  it.each<[string, string]>([
    ["no JSON", "{"],
    ["something else", '{"client": "codex"}'],
    ["more than that", JSON.stringify({ ...evidence(), more: 1 })],
    ["no checks", JSON.stringify(evidence({ checks: [] }))],
    ["a date nobody can read", JSON.stringify(evidence({ date: "yesterday" }))],
  ])("shows nothing when the file holds %s", (_what, content) => {
    mkdirSync(path("evidence"));
    writeFileSync(path("evidence", "codex-1.json"), content);
    expect(readEvidence(path()).size).toBe(0);
  });

  it("shows nothing when there is none, or nobody may read it", () => {
    expect(readEvidence(path("nowhere")).size).toBe(0);
    mkdirSync(path("evidence", "codex-1.json"), { recursive: true });
    expect(readEvidence(path()).size).toBe(0);
  });

  it("is not written in half when it cannot be written", () => {
    const file = writeEvidence(path(), evidence());
    const before = readFileSync(file, "utf8");
    expect(() => writeEvidence(path(), evidence({ clientVersion: "" }))).toThrow(/clientVersion/);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readdirSync(path("evidence"))).toHaveLength(1);
  });

  it("is good only when every check is", () => {
    const bad = { name: "reply", ok: false };
    expect([isGood(evidence()), isGood(evidence({ checks: [...evidence().checks, bad] }))]).toEqual([true, false]);
  });
});
