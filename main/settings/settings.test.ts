import { describe, expect, it } from "vitest";
import type { DesktopNotice, DesktopSettings, DesktopSettingsPatch } from "../../protocol/desktop/index.ts";
import { desktopSettings } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import { Settings } from "./settings.ts";
import { Shortcut } from "./shortcut.ts";

/** Settings whose operating system is an object: `taken` are shortcuts of other programs. */
function scene(initial: DesktopSettingsPatch = {}) {
  const state = {
    current: desktopSettings.parse(initial),
    movedAside: undefined as { file: string; problem: string } | undefined,
    writeError: undefined as Error | undefined,
    taken: new Set<string>(),
    registered: new Set<string>(),
    theme: "",
    loginItem: false,
    languages: ["en-GB"],
    told: [] as string[],
    notices: [] as DesktopNotice[],
  };
  const registry = {
    register: (accelerator: string) => {
      if (accelerator === "nonsense") throw new TypeError("conversion failure");
      if (state.taken.has(accelerator)) return false;
      state.registered.add(accelerator);
      return true;
    },
    unregister: (accelerator: string) => void state.registered.delete(accelerator),
  };
  const settings = new Settings({
    file: {
      get current() {
        return state.current;
      },
      get movedAside() {
        return state.movedAside;
      },
      change: (patch): DesktopSettings => {
        if (state.writeError) throw state.writeError;
        state.current = { ...state.current, ...(patch as Partial<DesktopSettings>) };
        return state.current;
      },
    },
    shortcut: new Shortcut(registry, () => {}),
    setLoginItem: (startAtLogin) => {
      state.loginItem = startAtLogin;
    },
    setTheme: (theme) => {
      state.theme = theme;
    },
    systemLanguages: () => state.languages,
    onChange: ({ theme }, locale) => void state.told.push(`${theme} ${locale}`),
    notice: (notice) => void state.notices.push(notice),
  });
  return { settings, state };
}

const FULL = new IntercomError("INTERNAL", "full", { reason: "disk_full", file: "/user/desktop.json" });

describe("at the start", () => {
  it("settings are put into effect", () => {
    const { settings, state } = scene({ theme: "dark" });
    settings.begin();
    expect(state).toMatchObject({ theme: "dark", told: ["dark en"], notices: [] });
    expect([...state.registered]).toEqual(["CommandOrControl+Shift+I"]);
  });

  it("a shortcut that is taken is told, and everything else goes on", () => {
    const { settings, state } = scene();
    state.taken.add("CommandOrControl+Shift+I");
    settings.begin();
    expect(state.notices).toEqual([
      { id: "shortcut-taken", code: "shortcut-taken", values: { shortcut: "CommandOrControl+Shift+I", active: "" } },
    ]);
    expect(state.told).toHaveLength(1);
  });

  it("a file that was moved aside is told", () => {
    const { settings, state } = scene();
    state.movedAside = { file: "/user/desktop.json.unusable", problem: "theme: expected one of" };
    settings.begin();
    expect(state.notices).toMatchObject([{ code: "settings-moved-aside", values: state.movedAside }]);
  });

  it("the language is the first of the system's there is a catalogue for, unless one is set", () => {
    const { settings, state } = scene();
    state.languages = ["fr-FR", "de-AT", "en-US"];
    expect(settings.locale()).toBe("de");
    expect(scene({ locale: "en" }).settings.locale()).toBe("en");
  });
});

describe("a change", () => {
  it("goes back to the last shortcut that worked when the new one is taken", () => {
    const { settings, state } = scene();
    settings.begin();
    state.taken.add("Alt+X");
    expect(() => settings.change({ shortcut: "Alt+X", theme: "dark" })).toThrow(
      expect.objectContaining({ code: "CONFLICT", details: { reason: "shortcut_taken", accelerator: "Alt+X" } }),
    );
    expect([...state.registered]).toEqual(["CommandOrControl+Shift+I"]);
    expect(state.current).toMatchObject({ shortcut: "CommandOrControl+Shift+I", theme: "system" });
    expect(state.notices).toMatchObject([{ values: { shortcut: "Alt+X", active: "CommandOrControl+Shift+I" } }]);
  });

  it("names the field when the shortcut is none", () => {
    const { settings, state } = scene();
    settings.begin();
    expect(() => settings.change({ shortcut: "nonsense" })).toThrow(/^shortcut: expected keys/);
    expect([...state.registered]).toEqual(["CommandOrControl+Shift+I"]);
    expect(state.notices).toEqual([]);
  });

  it("may take the shortcut away", () => {
    const { settings, state } = scene();
    settings.begin();
    expect(settings.change({ shortcut: null }).shortcut).toBeNull();
    expect(state.registered.size).toBe(0);
  });

  it("is not made at all when it cannot be written, and a full disk is told", () => {
    const { settings, state } = scene();
    settings.begin();
    state.writeError = FULL;
    expect(() => settings.change({ shortcut: "Alt+Y", startAtLogin: true, theme: "dark" })).toThrow(FULL);
    expect(state).toMatchObject({ loginItem: false, theme: "system", told: ["system en"] });
    expect([...state.registered]).toEqual(["CommandOrControl+Shift+I"]);
    expect(state.notices).toEqual([{ id: "disk-full", code: "disk-full", values: { file: "/user/desktop.json" } }]);
  });

  it("of theme, language and login item is put into effect at once", () => {
    const { settings, state } = scene();
    settings.begin();
    settings.change({ theme: "light", locale: "de", startAtLogin: true });
    expect(state).toMatchObject({ theme: "light", loginItem: true, told: ["system en", "light de"] });
  });
});
