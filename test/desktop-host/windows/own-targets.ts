// The pages that are windows of the app. A page may open others; Electron asks the app about those, and an app that cares
// denies them all. Here they are always closed, as soon as Chromium reports them.
import type { Connection } from "../chromium/protocol.ts";

const own = new Set<string>();
const beingMade = new Set<Promise<unknown>>();
let isWatching = false;

/** Makes the page of one window. @returns its target id */
export async function createOwnTarget(connection: Connection, width: number, height: number): Promise<string> {
  watch(connection);
  const making = connection.browser.send("Target.createTarget", { url: "about:blank", newWindow: true, width, height });
  beingMade.add(making);
  try {
    const { targetId } = await making;
    own.add(targetId);
    return targetId;
  } finally {
    beingMade.delete(making);
  }
}

function watch(connection: Connection): void {
  if (isWatching) return;
  isWatching = true;
  connection.browser.on("Target.targetCreated", ({ targetInfo: { targetId, type } }) => {
    // One that has closed itself meanwhile is what we want.
    if (type === "page") closeStranger(connection, targetId).catch(() => undefined);
  });
}

async function closeStranger(connection: Connection, targetId: string): Promise<void> {
  // A page is reported before the call that makes it is answered.
  await Promise.allSettled(beingMade);
  await Promise.resolve();
  if (own.has(targetId)) return;
  const stranger = await connection.attach(targetId);
  // Playwright halts each new page until it is ready for it. One that is closed while it halts takes the page that opened it,
  // in the same process, along: that never runs again.
  await stranger.send("Runtime.runIfWaitingForDebugger");
  await connection.browser.send("Target.closeTarget", { targetId });
}
