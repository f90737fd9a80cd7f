import { AdminClient } from "../../../client/index.ts";
import { LiveView } from "../../../client/live/index.ts";
import type { UiOperation } from "../../../protocol/desktop/index.ts";
import { IntercomError } from "../../../protocol/index.ts";
import type { Host, HostListener } from "../../host.ts";
import type { Page } from "./page.ts";
import type { BrowserSession } from "./session.ts";

type Call = (input: unknown) => Promise<unknown>;

/** The page runs in a tab of a browser that is signed in, and talks to the daemon that served it. */
export function browserHost(page: Page, session: BrowserSession): Host {
  const admin = new AdminClient({ address: page.origin, sessionProof: session.proof, fetch: session.fetch });
  let listener: HostListener | undefined;
  let sequence = 0;
  const live = new LiveView({
    onChanges: (changes) => {
      sequence += 1;
      listener?.frame({ sequence, changes });
    },
  });
  session.subscribe(() => {
    const { state } = session;
    if (state.kind === "signed-out" && state.why !== "unreachable") live.close();
  });
  return {
    kind: "browser",
    attach: async (attached) => {
      listener = attached;
      live.use(admin);
      return { live: live.state, desktop: undefined };
    },
    call: async (operation, input, scopeId) => (await callOf(admin, operation, scopeId)(input)) as never,
    desktop: undefined,
    browser: {
      listSessions: () => admin.listUiSessions(),
      endSession: async (sessionId) => void (await admin.endUiSession({ sessionId })),
      signOut: () => session.signOut(),
      backup: () => collect(admin.backup()),
    },
  };
}

/** @throws {IntercomError} INVALID_ARGUMENT for an operation of a scope without one */
function callOf(admin: AdminClient, operation: UiOperation, scopeId: string | undefined): Call {
  const client = scopeId === undefined ? admin : admin.scope(scopeId);
  const call = (client as Partial<Record<UiOperation, unknown>>)[operation];
  if (call === undefined)
    throw new IntercomError("INVALID_ARGUMENT", `${operation}: expected with a scope, or without`);
  return call as Call;
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of chunks) parts.push(chunk as Uint8Array<ArrayBuffer>);
  return new Blob(parts, { type: "application/octet-stream" });
}
