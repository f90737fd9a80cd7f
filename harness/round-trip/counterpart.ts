import { AgentSession, type Message, type ScopeClient } from "../../client/index.ts";
import type { Texts } from "./script.ts";

/** The other side of a round trip: an agent that asks back before it answers. */
export interface Counterpart {
  readonly id: string;
  /** The request as it arrived, and the reply to the question asked back; absent while they have not. */
  readonly heard: { request?: Message; reply?: Message };
  close(): Promise<void>;
}

const LEASE_MS = 60_000;

/** Puts the counterpart into a scope, where it waits for the program's request. */
export async function startCounterpart(scope: ScopeClient, id: string, texts: Texts): Promise<Counterpart> {
  const heard: Counterpart["heard"] = {};
  const ending = new AbortController();
  const session = await AgentSession.start({
    scope,
    registration: { id, displayName: "Round trip counterpart", leaseMs: LEASE_MS },
  });
  async function converse(request: Message): Promise<void> {
    heard.reply = await session.ask(request.from, texts.question, { signal: ending.signal });
    await session.client.sendMessage({
      to: request.from,
      body: texts.answer,
      mode: "response",
      responseTo: request.id,
    });
  }
  const conversations: Promise<void>[] = [];
  session.onMessage((message) => {
    if (message.mode !== "request") return;
    heard.request ??= message;
    // Not awaited here: the reply comes through the very inbox that this would hold up.
    conversations.push(converse(message).catch(() => {}));
  });
  return {
    id,
    heard,
    async close() {
      ending.abort();
      await Promise.all(conversations);
      await session.close();
    },
  };
}
