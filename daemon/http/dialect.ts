import type { z } from "zod";
import { type OperationName, PROTOCOL_NAME } from "../../protocol/index.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** How a listener speaks, where those who call it expect something else than the operation table says. */
export interface Dialect {
  /** Under which name the daemon introduces itself. */
  readonly name: string;
  /** Agents may read the questions of every agent of their scope, not only their own. */
  readonly sharedQuestions: boolean;
  /** Whether MCP tools describe their results: the descriptions are those of the table. */
  readonly resultsAsInTable: boolean;
  /** Names of the sets of MCP tools there are; the first is what a client gets without asking. */
  readonly toolSets: readonly [string, ...string[]];
  /** What a caller sent, as the table wants it. It has not been parsed yet. */
  adaptInput(name: OperationName, input: Fields): Fields;
  /** The same for the arguments of an MCP tool, which `schema` will parse. */
  adaptArguments(schema: z.ZodObject, args: Fields): Fields;
  /** What an operation gave, as a caller wants it. */
  adaptResult(name: OperationName, result: unknown): unknown;
}

/** Speaks as the table says. */
export const ownDialect: Dialect = {
  name: PROTOCOL_NAME,
  sharedQuestions: false,
  resultsAsInTable: true,
  toolSets: ["team", "bus", "intercom"],
  adaptInput: (_name, input) => input,
  adaptArguments: (_schema, args) => args,
  adaptResult: (_name, result) => result,
};
