import type { z } from "zod";
import type { ErrorCode, OperationInput, OperationName, OperationResult } from "../../protocol/index.ts";
import { type ObjectSchema, portableSchema, resultSchema } from "./schema.ts";

/** What a tool may do: call operations as whoever called the tool. */
export interface ToolContext {
  /** Performs an operation; the same checks apply as at every door. @throws {IntercomError} */
  call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationResult<N>>;
  /** Aborts when the caller hangs up or cancels. */
  readonly signal: AbortSignal;
}

/** How a tool behaves. Clients show it to people and decide by it what needs a confirmation. */
export interface ToolAnnotations {
  readonly title: string;
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Sentences that tell a model what to do after an error, by its code. */
export type NextSteps = Partial<Record<ErrorCode, string>>;

/** A tool as data; everything that serves it reads it from here. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  /** `input` as clients see it. */
  readonly inputSchema: ObjectSchema;
  /** What comes as structured content: the result's fields, or `error`. */
  readonly outputSchema: ObjectSchema;
  readonly next: NextSteps;
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
  return {
    name,
    description,
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
    input,
    inputSchema: portableSchema(input, "input"),
    outputSchema: resultSchema(output),
    next,
    // The input was parsed by this very schema.
    run: (parsed, context) => definition.run(parsed as z.output<Input>, context),
  };
}
