import type { z } from "zod";
import {
  type ErrorCode,
  type OperationInput,
  type OperationName,
  type OperationResult,
  parseInput,
} from "../../protocol/index.ts";
import { reviveJsonText } from "./arguments.ts";
import { forgive } from "./forgiving-arguments.ts";
import { type ObjectSchema, portableSchema, resultSchema } from "./schema.ts";
import type { ShownMessages } from "./shown-messages.ts";

/** What a tool may do: call operations as whoever called the tool. */
export interface ToolContext {
  /** Performs an operation; the same checks apply as at every door. @throws {IntercomError} */
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationResult<N>>;
  /** Aborts when the caller hangs up or cancels. */
  readonly signal: AbortSignal;
  /** What tools without message ids have shown, of all agents of this daemon. */
  readonly shown: ShownMessages;
}

/** How a tool behaves. Clients show it to people and decide by it what needs a confirmation. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Sentences that tell a model what to do after an error, by its code; `waiters` after too many calls that wait. */
export type NextSteps = Partial<Record<ErrorCode | "waiters", string>>;

/** Makes clients that load tools only when they are searched for have this one ready always. */
const ALWAYS_LOAD = { "anthropic/alwaysLoad": true };

/** A tool as data; everything that serves it reads it from here. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** The arguments as clients see them. */
  readonly inputSchema: ObjectSchema;
  /** What comes as structured content: the result's fields, or `error`. */
  readonly outputSchema: ObjectSchema;
  readonly next: NextSteps;
  readonly input: z.ZodObject;
  /** Reads what a model sent. @throws {IntercomError} INVALID_ARGUMENT */
  read(args: Readonly<Record<string, unknown>>): unknown;
  run(input: unknown, context: ToolContext): Promise<Record<string, unknown>>;
}

/** Tools that are listed together, in this order. */
export interface ToolSet {
  readonly name: string;
  /** What a client tells its model about the server. */
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Absent: it changes something. */
  readonly readOnly?: true;
  /** Calling it again with the same arguments changes nothing more. Reading always is. */
  readonly idempotent?: true;
  /** Arguments are read as they were meant, where that is beyond doubt. Absent: as they are. */
  readonly forgiving?: true;
  readonly alwaysLoad?: true;
  readonly input: Input;
  readonly output: Output;
  readonly next?: NextSteps;
  run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
}

/** Makes a tool. None of them destroys anything, and none reaches beyond its scope and the human who owns it. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): Tool {
  const { name, title, description, readOnly = false, idempotent = readOnly, input, output, next = {} } = definition;
  const inputSchema = portableSchema(input, "input");
  const understand = definition.forgiving ? forgive : reviveJsonText;
  return {
    name,
    description,
    ...(definition.alwaysLoad ? { meta: ALWAYS_LOAD } : {}),
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
    input,
    inputSchema,
    outputSchema: resultSchema(output),
    next,
    read: (args) => parseInput(input, understand(args, inputSchema)),
    // The input was parsed by this very schema.
    run: (parsed, context) => definition.run(parsed as z.output<Input>, context),
  };
}
