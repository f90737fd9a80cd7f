import type { Message } from "../../../protocol/objects/message.ts";

/** A message of `ada` to `bob`. */
export function messageOf(id: string, fields: Partial<Message> = {}): Message {
  return {
    id,
    scopeId: "scope",
    from: "ada",
    fromKind: "agent",
    to: "bob",
    toKind: "agent",
    mode: "notify",
    body: `Body of ${id}`,
    context: [],
    state: "queued",
    deliveryCount: 0,
    createdAt: "2026-01-31T12:00:00.000Z",
    ...fields,
  };
}
