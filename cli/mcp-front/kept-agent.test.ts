import { expect, it } from "vitest";
import type { AgentSession } from "../../client/index.ts";
import { KeptAgent } from "./kept-agent.ts";

function sessionWith(agentToken: string): AgentSession {
  return { agentId: "builder", agentToken, close: async () => {} } as unknown as AgentSession;
}

it("is never at a new daemon with the token of the former execution, also when beginning another one fails", async () => {
  const places = ["http://old", "http://new", "http://new"];
  const begun: PromiseWithResolvers<AgentSession>[] = [];
  const kept = KeptAgent.start({
    find: async () => ({ address: places.shift() ?? "" }),
    begin: () => {
      begun.push(Promise.withResolvers());
      return (begun.at(-1) as PromiseWithResolvers<AgentSession>).promise;
    },
    givesWay: false,
    tools: undefined,
  });
  await expect.poll(() => begun.length).toBe(1);
  begun[0]?.resolve(sessionWith("first"));
  const agent = await kept;
  const reached = () => [agent.address, agent.token];

  const failing = agent.renew();
  await expect.poll(() => begun.length).toBe(2);
  expect(reached()).toEqual(["http://old", "first"]);
  begun[1]?.reject(new Error("the daemon is busy"));
  await expect(failing).rejects.toThrow("busy");
  expect(reached()).toEqual(["http://old", "first"]);

  const renewing = agent.renew();
  await expect.poll(() => begun.length).toBe(3);
  expect(reached()).toEqual(["http://old", "first"]);
  begun[2]?.resolve(sessionWith("second"));
  expect(await renewing).toBe(true);
  expect(reached()).toEqual(["http://new", "second"]);
});
