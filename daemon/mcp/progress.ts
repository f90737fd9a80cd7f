import type { ServerContext } from "@modelcontextprotocol/server";

/** When a call that takes long first says that it is alive, and how often from then on, ms. */
const FIRST_MS = 300;
const EVERY_MS = 5000;

/**
 * Tells a client that asked for it that its call is alive, so that the time it allows a call does not run out. The first
 * sign also sends the head of the answer, which some clients wait for.
 * @returns ends it
 */
export function reportProgress({ mcpReq }: ServerContext): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => {};
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    timer = setTimeout(report, EVERY_MS);
    const progress = Math.round((performance.now() - began) / 100) / 10;
    const params = { progressToken, progress, message: "waiting" };
    // Whoever has gone does not need it.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  timer = setTimeout(report, FIRST_MS);
  return () => clearTimeout(timer);
}
