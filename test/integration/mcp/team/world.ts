import { expect } from "vitest";
import { RESULT_CHARACTERS } from "../../../../daemon/mcp/result-room.ts";
import type { AgentActor, ScopeActor } from "../../../support/actors.ts";
import type { TestDaemon } from "../../../support/daemon.ts";
import { callTool, type Era, type ToolAnswer } from "../../../support/mcp.ts";

/** A tool call that succeeded: its structured content, which its text repeats. */
export type ToolCall = (name: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;

export interface ToolWorld {
  readonly scope: ScopeActor;
  readonly ada: AgentActor;
  readonly bob: AgentActor;
  /** Calls a tool as ada, or as bob; it must succeed. */
  readonly asAda: ToolCall;
  readonly asBob: ToolCall;
  /** Calls a tool as ada, whatever comes of it. */
  readonly attempt: (name: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;
}

/** Two linked agents of a new scope, who use a set of tools. Every result must be short and say the same twice. */
export async function toolWorld(intercom: TestDaemon, era: Era, set: "team" | "intercom"): Promise<ToolWorld> {
  const scope = await intercom.scope();
  const [ada, bob] = await scope.agents("ada", "bob");
  const attemptAs =
    (agent: AgentActor) =>
    async (name: string, args: Record<string, unknown> = {}) => {
      const answer = await callTool(intercom.address, era, name, args, { token: agent.token, query: `?tools=${set}` });
      expect(answer.text.length, `length of the result of ${name}`).toBeLessThan(RESULT_CHARACTERS);
      expect(JSON.stringify(answer.structured).length).toBeLessThan(RESULT_CHARACTERS);
      return answer;
    };
  const as = (agent: AgentActor): ToolCall => {
    const attempt = attemptAs(agent);
    return async (name, args) => {
      const answer = await attempt(name, args);
      expect(answer.isError, `${name}: ${answer.text}`).toBe(false);
      expect(JSON.parse(answer.text)).toEqual(answer.structured);
      return answer.structured;
    };
  };
  return { scope, ada, bob, asAda: as(ada), asBob: as(bob), attempt: attemptAs(ada) };
}
