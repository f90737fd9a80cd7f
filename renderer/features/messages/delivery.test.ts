import { describe, expect, test } from "vitest";
import type { Agent } from "../../../protocol/objects/agent.ts";
import { MESSAGE_STATES } from "../../../protocol/objects/message.ts";
import { deliveryOf, toneOf } from "./delivery.ts";
import { messageOf } from "./message-examples.ts";

const NOW = Date.parse("2026-01-31T12:00:00.000Z");
const SEEN = "2026-01-31T11:00:00.000Z";
const agent = (fields: Partial<Agent>) => ({ reachable: true, ready: true, lastSeenAt: SEEN, ...fields }) as Agent;

describe("a queued message says why it waits", () => {
  const kindFor = (recipient: Agent | undefined, fields = {}) =>
    deliveryOf(messageOf("m", fields), recipient, NOW).kind;

  test("for a recipient that is away, since when", () => {
    expect(deliveryOf(messageOf("m"), agent({ reachable: false }), NOW)).toEqual({
      kind: "queued-unreachable",
      since: SEEN,
    });
  });
  test("for one that takes nothing now", () => expect(kindFor(agent({ ready: false }))).toBe("queued-not-ready"));
  test("for one that is not on the list", () => expect(kindFor(undefined)).toBe("queued-unknown"));
  test("for nothing but to be fetched", () => expect(kindFor(agent({}))).toBe("queued"));
  test("for a new attempt, as long as that is to come", () => {
    expect(kindFor(agent({}), { retryAt: "2026-01-31T12:00:01.000Z" })).toBe("retry");
    expect(kindFor(agent({}), { retryAt: "2026-01-31T11:59:59.000Z" })).toBe("queued");
  });
});

test("every state has a story and a tone", () => {
  const tones = MESSAGE_STATES.map((state) => toneOf(deliveryOf(messageOf("m", { state }), agent({}), NOW)));
  expect(tones).toEqual(["waiting", "waiting", "arrived", "arrived", "over", "stuck"]);
});

test("one that was set aside says why", () => {
  const message = messageOf("m", { state: "dead_lettered", deadLetteredAt: SEEN, deadLetterReason: "no such branch" });
  expect(deliveryOf(message, agent({}), NOW)).toEqual({ kind: "dead-lettered", at: SEEN, reason: "no such branch" });
});
