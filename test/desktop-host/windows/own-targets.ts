// The pages that are windows of the app. A page may open others; Electron asks the app about those, and an app that cares
// denies them all. Here they are always closed, as soon as Chromium reports them.
import type { Session } from "../chromium/protocol.ts";

const own = new Set<string>();
const beingMade = new Set<Promise<unknown>>();
let isWatching = false;

/** Makes the page of one window. @returns its target id */
export async function createOwnTarget(browser: Session, width: number, height: number): Promise<string> {
  watch(browser);
  const making = browser.send("Target.createTarget", { url: "about:blank", newWindow: true, width, height });
  beingMade.add(making);
  try {
    const { targetId } = await making;
    own.add(targetId);
    return targetId;
  } finally {
    beingMade.delete(making);
  }
}

function watch(browser: Session): void {
  if (isWatching) return;
  isWatching = true;
  browser.on("Target.targetCreated", ({ targetInfo: { targetId, type } }) => {
    if (type === "page") void closeStranger(browser, targetId);
  });
}

async function closeStranger(browser: Session, targetId: string): Promise<void> {
  // A page is reported before the call that makes it is answered.
  await Promise.allSettled(beingMade);
  await Promise.resolve();
  if (own.has(targetId)) return;
  await browser.send("Target.closeTarget", { targetId }).catch(() => undefined);
}
