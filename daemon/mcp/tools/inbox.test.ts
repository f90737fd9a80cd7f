import { describe, expect, it } from "vitest";
import { IntercomError, type OperationName } from "../../../protocol/index.ts";
import { ShownMessages } from "../shown-messages.ts";
import type { ToolContext } from "../tool.ts";
import { checkInbox } from "./inbox.ts";

type Answers = Partial<Record<OperationName, () => unknown>>;

/** A context whose operations answer as told and are written down. */
function contextWith(answers: Answers, signal = new AbortController().signal) {
  const calls: [OperationName, unknown][] = [];
  const context: ToolContext = {
    signal,
    shown: new ShownMessages(),
    call: async (name, input) => {
      calls.push([name, input]);
      return answers[name]?.() as never;
    },
  };
  return { calls, context };
}

const message = { id: "msg_1", body: "hello" };
const reserved = () => ({ id: "res_1", messages: [message] });

describe("check_inbox", () => {
  it("commits what it reserved and says what to do with it", async () => {
    const { calls, context } = contextWith({ reserveInbox: reserved, commitInbox: () => [message] });
    expect(await checkInbox.run({ limit: 3, waitMs: 10 }, context)).toEqual({
      messages: [message],
      acknowledgement: expect.stringContaining("acknowledge_messages"),
    });
    expect(calls).toEqual([
      ["reserveInbox", { limit: 3, waitMs: 10 }],
      ["commitInbox", { reservationId: "res_1" }],
    ]);
  });

  it("gives everything back when the caller is gone by then", async () => {
    const gone = new AbortController();
    const answers = {
      reserveInbox: () => {
        gone.abort();
        return reserved();
      },
    };
    const { calls, context } = contextWith(answers, gone.signal);
    expect(await checkInbox.run({}, context)).toEqual({ messages: [] });
    expect(calls.slice(1)).toEqual([["releaseInbox", { reservationId: "res_1" }]]);
  });

  it("has no hint to give when there is nothing", async () => {
    const { calls, context } = contextWith({ reserveInbox: () => null });
    expect(await checkInbox.run({}, context)).toEqual({ messages: [] });
    expect(calls).toHaveLength(1);
  });

  it("has none either when what it reserved expired meanwhile", async () => {
    const { context } = contextWith({ reserveInbox: reserved, commitInbox: () => [] });
    expect(await checkInbox.run({}, context)).toEqual({ messages: [] });
  });

  it("does not hide that the commit failed", async () => {
    const commitInbox = () => {
      throw new IntercomError("CONFLICT", "The reservation has been expired");
    };
    const { context } = contextWith({ reserveInbox: reserved, commitInbox });
    await expect(checkInbox.run({}, context)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});
