import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { desktopSettings } from "../../protocol/desktop/index.ts";
import { temporaryFolder } from "../../test/support/temporary.ts";
import { SettingsFile } from "./settings-file.ts";

const NOW = Date.UTC(2026, 0, 31, 12);
const defaults = desktopSettings.parse({});

function place(content?: string): string {
  const file = join(temporaryFolder(), "user", "desktop.json");
  if (content !== undefined) {
    mkdirSync(join(file, ".."));
    writeFileSync(file, content);
  }
  return file;
}

describe("a settings file", () => {
  it("that is not there means the defaults, and is not made for that", () => {
    const file = place();
    const settings = new SettingsFile(file, NOW);
    expect(settings.current).toEqual(defaults);
    expect(settings.movedAside).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });

  it("of an older version is completed", () => {
    const settings = new SettingsFile(place('{"theme":"dark","notifications":{"sound":false}}'), NOW);
    expect(settings.movedAside).toBeUndefined();
    expect(settings.current).toEqual({
      ...defaults,
      theme: "dark",
      notifications: { ...defaults.notifications, sound: false },
    });
  });

  it("is written whole, for its owner alone, and read again", () => {
    const file = place();
    const settings = new SettingsFile(file, NOW);
    const changed = settings.change({
      theme: "light",
      notifications: { enabled: false },
      updates: { channel: "beta" },
    });
    expect(changed).toEqual({
      ...defaults,
      theme: "light",
      notifications: { ...defaults.notifications, enabled: false },
      updates: { check: true, channel: "beta" },
    });
    expect(settings.current).toBe(changed);
    expect(new SettingsFile(file, NOW).current).toEqual(changed);
    expect(readdirSync(join(file, ".."))).toEqual(["desktop.json"]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each([
    ["no JSON", "{", "it is not valid JSON"],
    ["a field of the future", '{"sparkle":true}', "sparkle: unknown field"],
    ["a field inside of another", '{"notifications":{"volume":3}}', "notifications.volume: unknown field"],
    ["a value that is none", '{"theme":"pink"}', "theme: "],
    ["something else altogether", "[]", "expected object"],
  ])("with %s is moved aside and said so", (_what, content, problem) => {
    const file = place(content);
    const settings = new SettingsFile(file, NOW);
    expect(settings.current).toEqual(defaults);
    expect(settings.movedAside).toEqual({
      file: `${file}.unusable-20260131T120000000Z`,
      problem: expect.stringContaining(problem),
    });
    expect(readFileSync(settings.movedAside?.file ?? "", "utf8")).toBe(content);
    expect(existsSync(file)).toBe(false);
  });

  it("that was moved aside in the same moment is not lost to the next one", () => {
    const file = place("first");
    expect(new SettingsFile(file, NOW).movedAside).toBeDefined();
    writeFileSync(file, "second");
    const aside = new SettingsFile(file, NOW).movedAside?.file ?? "";
    expect(readFileSync(aside, "utf8")).toBe("second");
    expect(readdirSync(join(file, ".."))).toHaveLength(2);
  });

  it("that cannot be written leaves everything as it was", () => {
    const file = place('{"theme":"dark"}');
    const settings = new SettingsFile(file, NOW);
    // A folder in its place: nothing can be renamed over it, whoever runs this.
    const blocked = new SettingsFile(join(file, "below", "desktop.json"), NOW);
    expect(() => blocked.change({ theme: "light" })).toThrow(/settings were not saved/);
    expect(blocked.current.theme).toBe("system");
    expect(settings.current.theme).toBe("dark");
  });
});
