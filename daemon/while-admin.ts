import { channels } from "./core/index.ts";
import type { Engine } from "./engine/index.ts";
import type { DirectHandler } from "./http/index.ts";

/** How long a session may have expired before what it follows ends, ms. Each look also counts as use. */
const LOOK_MS = 60_000;

/**
 * Makes sure that the admin calls, and goes on doing so: the signal aborts when the caller goes, or when the browser
 * session it came with ends.
 * @throws {IntercomError} UNAUTHENTICATED
 */
export async function whileAdmin(engine: Engine, call: Parameters<DirectHandler>[0]): Promise<AbortSignal> {
  const { credentials, signal } = call;
  if (!credentials.session) {
    await engine.requireAdmin(credentials);
    return signal;
  }
  const ended = new AbortController();
  // Before the first look: a session that ends after it is heard of.
  const listener = engine.hub.listen(channels.authority);
  const watch = async () => {
    for (;;) {
      const end = await listener.wait(LOOK_MS, signal);
      if (end === "aborted" || end === "stopping") return;
      await engine.requireAdmin(credentials);
    }
  };
  try {
    await engine.requireAdmin(credentials);
  } catch (error) {
    listener.close();
    throw error;
  }
  void watch()
    // Whether the session is over or cannot be looked at: whoever follows comes again and is told.
    .catch(() => ended.abort())
    .finally(() => listener.close());
  return AbortSignal.any([signal, ended.signal]);
}
