import type { OperationName } from "../../protocol/index.ts";
import {
  isIntercomError,
  type OperationInput,
  type OperationResult,
  operationOf,
  parseInput,
} from "../../protocol/index.ts";
import type { Member } from "./member.ts";
import type { McpServices } from "./services.ts";
import type { ToolContext } from "./tool.ts";

/** Calls operations as a member. @param signal aborts when nobody waits for the result any more */
export function callsAs(services: McpServices, member: Member, signal: AbortSignal): ToolContext["call"] {
  const { dialect } = services;
  const perform = async (name: OperationName, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const input = parseInput(operationOf(name).input, dialect.adaptInput(name, given));
    for (let attempt = 1; ; attempt += 1) {
      const credentials = await member.credentials();
      try {
        const { sharedQuestions } = dialect;
        return dialect.adaptResult(name, await services.perform(name, { credentials, input, signal, sharedQuestions }));
      } catch (error) {
        // Refused before anything was done, so it may be tried again.
        if (attempt > 1 || !isIntercomError(error, "UNAUTHENTICATED") || !member.refused()) throw error;
      }
    }
  };
  return async <N extends OperationName>(name: N, input: OperationInput<N>) =>
    (await perform(name, input as Record<string, unknown>)) as OperationResult<N>;
}
