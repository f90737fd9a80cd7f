import { OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { type ColorScheme, changeColorScheme } from "./color-scheme.ts";

type ThemeSource = "system" | ColorScheme;

let systemScheme: ColorScheme = "light";

/** Electron's `nativeTheme`. Pages really change: their `prefers-color-scheme` follows. */
class NativeTheme extends OfferedEmitter {
  readonly shouldUseHighContrastColors = false;
  readonly shouldUseInvertedColorScheme = false;
  readonly inForcedColorsMode = false;
  readonly prefersReducedTransparency = false;
  #source: ThemeSource = "system";
  #scheme: ColorScheme = "light";

  get themeSource(): ThemeSource {
    return this.#source;
  }

  set themeSource(source: ThemeSource) {
    recordings.add("nativeTheme", "themeSource", source);
    this.#source = source;
    this.hostUpdate();
  }

  get shouldUseDarkColors(): boolean {
    return this.#scheme === "dark";
  }

  get shouldUseDarkColorsForSystemIntegratedUI(): boolean {
    return systemScheme === "dark";
  }

  hostUpdate(): void {
    const scheme = this.#source === "system" ? systemScheme : this.#source;
    if (scheme === this.#scheme) return;
    this.#scheme = scheme;
    changeColorScheme(scheme);
    this.emit("updated");
  }
}

export const nativeTheme: NativeTheme = new NativeTheme();

/** The person at the settings of the desktop, for specs. */
export const themeHand = {
  setSystemScheme(scheme: ColorScheme): void {
    systemScheme = scheme;
    nativeTheme.hostUpdate();
  },
};
