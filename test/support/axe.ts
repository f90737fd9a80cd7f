import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/** What axe has against a page, one line each: the rule, and the elements that break it. Empty is what specs expect. */
export async function axeViolations(page: Page): Promise<string[]> {
  // "Legacy" only means within the page itself: otherwise axe opens a page beside it, which Electron does not have.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  return violations.map(
    ({ id, help, nodes }) => `${id} (${help}): ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
  );
}
