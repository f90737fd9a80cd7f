/** What pages are drawn on, so that a window does not flash before its page is there. The same as in the pages' theme. */
const GROUND = { light: "#f6f6f4", dark: "#161719" } as const;

export function backgroundColor({ shouldUseDarkColors }: { readonly shouldUseDarkColors: boolean }): string {
  return shouldUseDarkColors ? GROUND.dark : GROUND.light;
}
