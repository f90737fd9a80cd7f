import { z } from "zod";
import { operations } from "../../../../protocol/index.ts";
import { clip } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { SENTENCE_ROOM } from "./agent-view.ts";

/** What each set's tool for one's own summary takes, gives and does. */
export const ownSummary = {
  idempotent: true,
  input: z.strictObject({
    summary: operations.updateProfile.input.shape.summary
      .unwrap()
      .meta({ description: "One sentence, at most 512 bytes." }),
  }),
  output: z.object({ summary: z.string() }),
  async run({ summary }: { readonly summary: string }, { call }: Pick<ToolContext, "call">) {
    const agent = await call("updateProfile", { summary });
    return { summary: clip(agent.summary ?? "", SENTENCE_ROOM) };
  },
} as const;
