import type { z } from "zod";
import type { NodeStatus } from "../../../../protocol/index.ts";
import type { Tool, ToolContext, ToolDefinition } from "../../tool.ts";
import { forgivingTool } from "../shared/forgiving-tool.ts";

export interface IntercomContext extends ToolContext {
  readonly me: NodeStatus;
}

type Definition<Input extends z.ZodObject, Output extends z.ZodObject> = Omit<
  ToolDefinition<Input, Output>,
  "forgiving" | "run"
> & { run(input: z.output<Input>, context: IntercomContext): Promise<z.input<Output>> };

/**
 * A tool for agents that know no message ids. A call that changes something says that the one before has been read: what
 * that showed is acknowledged now. Calls that only read leave it alone, so that they are what they say.
 */
export function intercomTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: Definition<Input, Output>,
): Tool {
  return forgivingTool({
    ...definition,
    async run(input, context) {
      const me = await context.call("whoAmI", {});
      if (!definition.readOnly) await acknowledgeShown(me, context);
      return definition.run(input, { ...context, me });
    },
  });
}

/** At most so many at once, as the operation has it. */
const BATCH = 100;

async function acknowledgeShown(me: NodeStatus, { call, shown }: ToolContext): Promise<void> {
  const { executionId } = me.identity;
  const messageIds = shown.whole(executionId).slice(0, BATCH);
  if (messageIds.length === 0) return;
  await call("acknowledgeMessages", { messageIds });
  shown.forget(executionId, messageIds);
}
