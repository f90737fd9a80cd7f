import { z } from "zod";
import { type OperationInput, type OperationName, type OperationResult, operationOf } from "../../protocol/index.ts";
import { type Tool, type ToolDefinition, tool } from "./tool.ts";

type Shared = Omit<ToolDefinition<z.ZodObject, z.ZodObject>, "input" | "output" | "run">;

interface OperationTool extends Shared {
  /** Arguments: fields of the operation, each with what a model should know of it. */
  readonly fields: Readonly<Record<string, string>>;
  /** Name of the result, where it is a list: structured content is always an object. */
  readonly as?: string;
}

/** A tool that is one operation of the table. */
export function operationTool<N extends OperationName>(operation: N, { fields, as, ...shared }: OperationTool): Tool {
  const { input, result } = operationOf(operation);
  const output = as === undefined ? (result as z.ZodObject) : z.object({ [as]: result });
  return tool({
    ...shared,
    input: z.strictObject(describeFields(input.shape, fields)),
    output,
    run: async (given, { call }) => {
      const value: OperationResult<N> = await call(operation, given as OperationInput<N>);
      return as === undefined ? (value as Record<string, unknown>) : { [as]: value };
    },
  });
}

/** Fields of an operation's input with descriptions of their own. */
export function describeFields<Shape extends z.ZodRawShape, Names extends string & keyof Shape>(
  shape: Shape,
  descriptions: Readonly<Record<Names, string>>,
): Pick<Shape, Names> {
  const fields = Object.entries<string>(descriptions).map(([name, description]) => {
    const field = shape[name] as unknown as z.ZodType | undefined;
    if (!field) throw new Error(`The operation has no field ${name}`);
    return [name, field.meta({ ...field.meta(), id: undefined, description })];
  });
  return Object.fromEntries(fields) as Pick<Shape, Names>;
}
