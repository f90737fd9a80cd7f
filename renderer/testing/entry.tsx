import type { ReactNode } from "react";
import { show } from "../app/page.tsx";
import { sampleDesktop } from "./fake-desktop.ts";
import { fakeHost } from "./fake-host.ts";
import { makeWorld, type WorldName } from "./worlds.ts";

/**
 * Shows a page over a fake world, which the address chooses: `?world=empty|team|large`, `?host=browser`, `?theme=light|dark`,
 * `?locale=de`. Specs and curious people reach the world as `window.world`.
 */
export function showFake(content: ReactNode): void {
  const wanted = new URLSearchParams(location.search);
  const kind = wanted.get("host") === "browser" ? "browser" : "desktop";
  const world = makeWorld((wanted.get("world") ?? "team") as WorldName, Date.now());
  if (kind === "desktop") {
    const desktop = sampleDesktop(new Date().toISOString());
    const theme = (wanted.get("theme") ?? "system") as "system" | "light" | "dark";
    const locale = wanted.get("locale") === "de" ? "de" : "en";
    world.desktop = { ...desktop, locale, settings: { ...desktop.settings, theme, locale } };
  }
  Object.assign(window, { world });
  show(fakeHost(world, kind), content);
}
