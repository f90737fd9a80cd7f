import { isSessionEnded, recordEndedSession } from "../core/index.ts";
import type { Engine } from "../engine/index.ts";
import { type EndedSessions, SESSION_MAX_AGE_S } from "./door/index.ts";

/** Which sessions clients have ended, in the store. */
export function endedSessions(engine: Engine): EndedSessions {
  return {
    has: (id) => engine.transact("read", (ctx) => isSessionEnded(ctx, id)),
    add: (id) => engine.transact("write", (ctx) => recordEndedSession(ctx, id, ctx.now - SESSION_MAX_AGE_S * 1000)),
  };
}
