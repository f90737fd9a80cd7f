import { describe, expect, test } from "vitest";
import { watchWaitingCalls } from "../../faults/waiting-calls.ts";
import { rpcRequest } from "../../support/mcp.ts";
import { RawSession, type RpcMessage } from "../../support/mcp-session.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";

const waitingCalls = watchWaitingCalls();
const intercom = useDaemon();
const address = () => intercom().address;

async function pair() {
  return (await intercom().scope()).agents("ada", "bob");
}

/** A call that waits, in each era, with what came of it so far. */
const WAYS: Readonly<Record<string, (token: string, meta: object, seen: RpcMessage[]) => Promise<unknown>>> = {
  "a session of 2025-11-25": async (token, _meta, seen) => {
    const session = new RawSession(address, token);
    await session.initialize();
    const params = { name: "check_inbox", arguments: { waitMs: 20_000 }, _meta };
    return session.ask("tools/call", params, (message) => seen.push(message));
  },
  "a request of 2026-07-28": async (token, _meta, seen) => {
    const params = { name: "check_inbox", arguments: { waitMs: 20_000 }, _meta };
    const { headers, body } = rpcRequest("2026-07-28", "tools/call", params);
    const plain = new PlainRequest(token, headers);
    return plain.post(JSON.parse(body), (message) => seen.push(message));
  },
};

class PlainRequest extends RawSession {
  readonly #more: Record<string, string>;

  constructor(token: string, more: Record<string, string>) {
    super(address, token);
    this.#more = more;
  }

  override get headers(): Record<string, string> {
    return { ...super.headers, ...this.#more };
  }
}

describe.each(Object.entries(WAYS))("a wait in %s", (_, wait) => {
  test("says that it is alive to whoever wants to know, with the token it was given", async () => {
    const [ada, bob] = await pair();
    const seen: RpcMessage[] = [];
    const over = wait(bob.token, { progressToken: "p-1" }, seen);
    const progress = await until("a sign of life", () =>
      seen.find(({ method }) => method === "notifications/progress"),
    );
    expect(progress.params).toMatchObject({ progressToken: "p-1", progress: expect.any(Number) });
    const id = await ada.tell(bob);
    await over;
    expect(seen.at(-1)?.result?.structuredContent).toMatchObject({ messages: [{ id }] });
  });

  test("is silent for whoever does not", async () => {
    const [ada, bob] = await pair();
    const seen: RpcMessage[] = [];
    const over = wait(bob.token, {}, seen);
    await until("the call waits", () => waitingCalls() === 1);
    await ada.tell(bob);
    await over;
    expect(seen).toHaveLength(1);
  });
});
