import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { useTemporaryDirectory } from "../../test/fixtures/temporary-directory.ts";
import { ProfileStore } from "./profiles.ts";

const path = useTemporaryDirectory();
const file = () => path("data", "credentials.json");
const store = () => new ProfileStore(file());
const tokenOf = (id: string) => `${id}.${"x".repeat(43)}`;

/** The file as somebody has left it. */
function left(content: string, mode = 0o600): void {
  mkdirSync(path("data"), { mode: 0o700 });
  writeFileSync(file(), content, { mode });
}

describe("profiles", () => {
  it("are kept for their owner alone, beside each other, and forgotten by connector", () => {
    store().set("claude", { token: tokenOf("conn_1") });
    store().set("codex", { token: tokenOf("conn_2"), address: "http://127.0.0.1:4766" });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(path("data")).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toEqual({
      version: 1,
      profiles: {
        claude: { token: tokenOf("conn_1") },
        codex: { token: tokenOf("conn_2"), address: "http://127.0.0.1:4766" },
      },
    });
    expect(store().get("codex")).toEqual({ token: tokenOf("conn_2"), address: "http://127.0.0.1:4766" });
    expect(store().nameOf("conn_1")).toBe("claude");
    expect([store().remove("conn_1"), store().remove("conn_1")]).toEqual(["claude", undefined]);
    expect(() => store().get("claude")).toThrow("There is no profile claude.");
    expect(() => store().get("constructor")).toThrow("There is no profile constructor.");
  });

  it("are taken by one connector each", () => {
    store().set("claude", { token: tokenOf("conn_1") });
    expect(() => store().check("claude", "conn_1")).not.toThrow();
    expect(() => store().check("other")).not.toThrow();
    for (const connector of [undefined, "conn_2", "conn_"]) {
      expect(() => store().check("claude", connector)).toThrow("There is a profile claude already");
    }
    for (const name of ["", "two words", "__proto__", "../x"]) {
      expect(() => store().check(name)).toThrow(`--save: ${name} cannot be the name of a profile.`);
    }
  });

  it.each([
    ["{", "is not valid JSON"],
    ["[]", "does not have the expected form (not an object)"],
    ['{"version":2,"profiles":{}}', "does not have the expected form (version)"],
    ['{"version":1,"profiles":{"a":{"token":"short"}}}', "does not have the expected form (profiles.a.token)"],
    [
      `{"version":1,"profiles":{"a":{"token":"${tokenOf("c")}","secret":1}}}`,
      "does not have the expected form (secret)",
    ],
  ])("in a file like %s are not used, and it is left as it is", (content, why) => {
    left(content);
    for (const use of [
      () => store().get("a"),
      () => store().check("a"),
      () => store().set("a", { token: tokenOf("c") }),
    ]) {
      expect(use).toThrow(`The file of credentials cannot be trusted: ${file()} ${why}. It was left as it is.`);
    }
    expect(readFileSync(file(), "utf8")).toBe(content);
  });

  it.skipIf(process.platform === "win32")("are not taken from a file others may read or have put there", () => {
    left('{"version":1,"profiles":{}}');
    chmodSync(file(), 0o640);
    expect(() => store().get("a")).toThrow(/is open to others|open to other users \(mode 640\)/);
    symlinkSync(file(), path("data", "linked.json"));
    expect(() => new ProfileStore(path("data", "linked.json")).get("a")).toThrow("is a symbolic link");
  });
});
