import { storedSecret } from "../core/index.ts";
import type { MountedRequest } from "../http/index.ts";
import { Admissions } from "./admissions.ts";
import { admitGuest } from "./admit.ts";
import { Changes } from "./changes.ts";
import { Connections } from "./connections.ts";
import { type Application, Serving, SessionIds, Sessions, sendWebResponse } from "./door/index.ts";
import { endedSessions } from "./ended-sessions.ts";
import type { IntercomGuest } from "./guests.ts";
import { askedStates } from "./inline/inline.ts";
import { createServer } from "./server.ts";
import type { McpServices } from "./services.ts";
import { ShownMessages } from "./shown-messages.ts";

export interface McpServing {
  answer(mounted: MountedRequest): Promise<void>;
  close(): Promise<void>;
}

/** Name of the secret that session ids are signed with. */
const SESSION_SECRET = "mcp-sessions";

/** Serves agents over MCP. */
export async function createServing(services: McpServices): Promise<McpServing> {
  const { engine, logger } = services;
  const admissions = new Admissions(engine);
  const changes = new Changes(engine, logger);
  const connections = new Connections(engine, logger);
  const shown = new ShownMessages();
  const secret = await engine.transact("write", (ctx) => storedSecret(ctx, SESSION_SECRET));
  const sessions = new Sessions({
    ids: new SessionIds(secret),
    ended: endedSessions(engine),
    now: () => engine.clock.now(),
  });
  let states: ReturnType<typeof askedStates> | undefined;
  const application: Application<IntercomGuest> = {
    admit: (mounted) => admitGuest(services, admissions, connections, mounted),
    createServer: (first, visitOf) => {
      states ??= askedStates(secret, (context) => visitOf(context).guest.key);
      return createServer({ services, changes, shown, states, first, visitOf });
    },
    listen: (visit, tell, signal) => {
      const member = visit.guest.memberFor(visit, {});
      void member
        .credentials()
        .then(() => changes.watch({ member, wants: () => true, changed: (uri) => tell.resourceUpdated(uri) }, signal))
        .catch((error: unknown) => logger.warn("a client cannot be told of changes", { error: String(error) }));
    },
    arrived: (visit) => visit.guest.arrived?.(visit) ?? (() => {}),
    sessionEnded: (guest, sessionKey) => guest.sessionEnded?.(sessionKey),
  };
  const serving = new Serving(application, sessions);
  return {
    answer: async (mounted) => {
      const { answer, done } = await serving.serve(mounted);
      try {
        if (answer.status >= 500) logger.error("mcp request failed", { status: answer.status });
        await sendWebResponse(answer, mounted.response, mounted.signal);
      } finally {
        done();
      }
    },
    close: async () => {
      changes.stop();
      connections.close();
      await serving.close();
    },
  };
}
