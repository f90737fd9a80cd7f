import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { IntercomError, LIMITS, type Message } from "../../protocol/index.ts";
import { message, scriptedSession } from "../../test/fixtures/scripted-session.ts";
import type { Delivery } from "./delivery.ts";

function unreachable(): never {
  throw new TypeError("fetch failed");
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("onMessage", () => {
  it("hands messages over in order and acknowledges each when it was dealt with", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const log: string[] = [];
    session.onMessage(async ({ id }, { attempt }) => {
      log.push(`begin ${id} ${attempt} after ${daemon.named("acknowledgeMessages").length}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    daemon.push(message("m1"), message("m2", { deliveryCount: 3 }));
    await vi.advanceTimersByTimeAsync(300);
    expect(log).toEqual(["begin m1 1 after 0", "begin m2 3 after 1"]);
    expect(daemon.named("acknowledgeMessages").map((call) => call.input.messageIds)).toEqual([["m1"], ["m2"]]);
    // One at a time, so that a delivery count tells of this message alone.
    expect(daemon.named("reserveInbox")[0]?.input).toEqual({ limit: 1, waitMs: 25_000 });
  });

  it("sets a message aside whose handlers never lived to tell how it went", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handler = vi.fn();
    session.onMessage(handler);
    daemon.push(message("poison", { deliveryCount: 6 }), message("next"));
    await vi.advanceTimersByTimeAsync(100);
    expect(handler.mock.calls.map(([received]) => received.id)).toEqual(["next"]);
    expect(daemon.named("deadLetterMessage").map((call) => call.input)).toEqual([
      { messageId: "poison", reason: expect.stringMatching(/^Delivered 5 times/) },
    ]);
    await session.close();
  });

  it("runs as many handlers at a time as it is told", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    let running = 0;
    let most = 0;
    session.onMessage(
      async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 10));
        running -= 1;
      },
      { concurrency: 3 },
    );
    daemon.push(...["a", "b", "c", "d", "e"].map((id) => message(id)));
    await vi.advanceTimersByTimeAsync(100);
    expect(most).toBe(3);
    expect(daemon.named("acknowledgeMessages")).toHaveLength(5);
  });

  it("puts a failed message off, longer each time, and sets it aside in the end", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    session.onMessage(() => {
      throw new Error("ä".repeat(LIMITS.reasonBytes));
    });
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      daemon.push(message("m1", { deliveryCount: attempt }));
      await settle();
    }
    expect(daemon.named("deferMessages").map((call) => call.input)).toEqual(
      [1_000, 4_000, 16_000, 64_000].map((delayMs) => ({ messageIds: ["m1"], delayMs })),
    );
    const [{ input: { messageId, reason } = {} } = {}] = daemon.named("deadLetterMessage");
    expect(messageId).toBe("m1");
    expect(new TextEncoder().encode(reason as string)).toHaveLength(LIMITS.reasonBytes);
    expect(daemon.named("acknowledgeMessages")).toHaveLength(0);
    expect(daemon.errors).toHaveLength(5);
  });

  it("follows the caller's own policy within the protocol's bounds", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const policy = { maxAttempts: 2, retryDelayMs: () => Number.MAX_SAFE_INTEGER };
    session.onMessage(() => Promise.reject(" "), policy);
    daemon.push(message("m1"));
    await settle();
    daemon.push(message("m1", { deliveryCount: 2 }));
    await settle();
    expect(daemon.named("deferMessages")[0]?.input.delayMs).toBe(LIMITS.retryDelayMaxMs);
    expect(daemon.named("deadLetterMessage")[0]?.input.reason).toBe("The handler failed");
  });

  it("acknowledges again, and does not handle again, when an acknowledgement did not arrive", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handled: string[] = [];
    session.onMessage(({ id }) => handled.push(id));
    const acknowledge = daemon.script.acknowledgeMessages;
    daemon.script.acknowledgeMessages = () => {
      throw new IntercomError("CONFLICT", "no");
    };
    daemon.push(message("m1"));
    await settle();
    daemon.script.acknowledgeMessages = acknowledge;
    daemon.push(message("m1", { deliveryCount: 2 }), message("m2"));
    await settle();
    expect(handled).toEqual(["m1", "m2"]);
    expect(daemon.named("acknowledgeMessages").map((call) => call.input.messageIds)).toEqual([["m1"], ["m1"], ["m2"]]);
  });

  it.each(["reserveInbox", "commitInbox", "acknowledgeMessages"] as const)("survives that %s fails", async (name) => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handled: string[] = [];
    const answer = daemon.script[name] as never;
    daemon.script[name] = unreachable;
    session.onMessage(({ id }) => handled.push(id));
    daemon.push(message("m1"));
    await vi.advanceTimersByTimeAsync(20_000);
    daemon.script[name] = answer;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(handled).toEqual(["m1"]);
    expect(daemon.named("acknowledgeMessages").at(-1)?.input.messageIds).toEqual(["m1"]);
  });

  it.each(["NOT_FOUND", "CONFLICT"] as const)("takes the next batch when a reservation is %s", async (code) => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const handled: string[] = [];
    session.onMessage(({ id }) => handled.push(id));
    const commit = daemon.script.commitInbox;
    daemon.script.commitInbox = () => {
      throw new IntercomError(code, "gone");
    };
    daemon.push(message("m1"));
    await settle();
    daemon.script.commitInbox = commit;
    daemon.push(message("m1"));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(handled).toEqual(["m1"]);
  });

  it("does not spin when the daemon cuts waits short", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.reserveInbox = () => null;
    session.onMessage(() => {});
    await vi.advanceTimersByTimeAsync(5_000);
    expect(daemon.named("reserveInbox").length).toBeLessThanOrEqual(6);
  });

  it("has one reader at a time, and stops it after the handler that runs", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const begun: string[] = [];
    const reader = session.onMessage(async ({ id }) => {
      begun.push(id);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    });
    expect(() => session.onMessage(() => {})).toThrow(/reader already/);
    await expect(session.drainInbox(() => {})).rejects.toMatchObject({ code: "CONFLICT" });
    daemon.push(message("m1"), message("m2"));
    await settle();
    const stopped = reader.stop();
    await vi.advanceTimersByTimeAsync(1_000);
    await stopped;
    expect(begun).toEqual(["m1"]);
    await session.onMessage(() => {}).stop();
    expect(session.state).toBe("live");
  });

  it("begins no further message once the session was replaced", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    const begun: string[] = [];
    let signal: AbortSignal | undefined;
    session.onMessage(async ({ id }, delivery) => {
      begun.push(id);
      signal = delivery.signal;
      await new Promise((resolve) => setTimeout(resolve, 15_000));
      throw new Error("aborted");
    });
    daemon.push(message("m1"), message("m2"));
    await settle();
    daemon.script.heartbeat = () => {
      throw new IntercomError("UNAUTHENTICATED", "no", { reason: "replaced" });
    };
    await vi.advanceTimersByTimeAsync(60_000);
    expect(begun).toEqual(["m1"]);
    expect(signal?.aborted).toBe(true);
    expect(daemon.named("deferMessages")).toHaveLength(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([{ batch: 101 }, { waitMs: 25_001 }, { batch: 0.5 }])("refuses %j", async (options) => {
    const session = await scriptedSession().start();
    expect(() => session.onMessage(() => {}, options)).toThrow(IntercomError);
  });
});

describe("drainInbox", () => {
  it("deals with what is there and counts what succeeded", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.push(message("m1"), message("bad"), message("m2"));
    const count = await session.drainInbox(({ id }) => {
      if (id === "bad") throw new Error("no");
    });
    expect(count).toBe(2);
    expect(daemon.named("reserveInbox").at(-1)?.input.waitMs).toBe(0);
    expect(daemon.named("deferMessages")).toHaveLength(1);
  });

  it("fails when the session ends", async () => {
    const daemon = scriptedSession();
    const session = await daemon.start();
    daemon.script.reserveInbox = () => {
      throw new IntercomError("UNAUTHENTICATED", "no", { reason: "replaced" });
    };
    await expect(session.drainInbox(() => {})).rejects.toMatchObject({ details: { reason: "replaced" } });
  });
});

describe("reply", () => {
  async function replyTo(received: Message, daemon = scriptedSession()) {
    const session = await daemon.start();
    daemon.push(received);
    let reply: Delivery["reply"] | undefined;
    await session.drainInbox((_, delivery) => {
      reply = delivery.reply;
      return delivery.reply("answer", { idempotencyKey: "k" });
    });
    return { daemon, reply: reply as Delivery["reply"], sent: daemon.named("sendMessage") };
  }

  it("is the response to a request", async () => {
    const { sent } = await replyTo(message("m1", { mode: "request" }));
    expect(sent[0]?.input).toEqual({ to: "peer", body: "answer", mode: "response", responseTo: "m1" });
    expect(sent[0]?.headers["Idempotency-Key"]).toBe("k");
  });

  it("is a message of its own otherwise, also to the human", async () => {
    const agent = await replyTo(message("m1"));
    expect(agent.sent[0]?.input).toEqual({ to: "peer", body: "answer", mode: "notify" });
    const human = await replyTo(message("m1", { from: "human", fromKind: "human" }));
    expect(human.sent[0]?.input).toEqual({ to: "human", toKind: "human", body: "answer", mode: "notify" });
  });

  it("gives the receipt of the first response when there is one", async () => {
    const daemon = scriptedSession();
    daemon.script.sendMessage = () => {
      throw new IntercomError("CONFLICT", "answered already");
    };
    const receipt = daemon.script.getReceipt;
    daemon.script.getReceipt = async (call) =>
      ({
        ...((await receipt(call)) as never as object),
        ...(call.input.messageId === "m1" ? { responseMessageId: "first" } : {}),
      }) as never;
    const { reply } = await replyTo(message("m1", { mode: "request" }), daemon);
    expect(await reply("once more")).toMatchObject({ messageId: "first" });
  });
});
