import type { Context } from "./context.ts";
import { channels } from "./context.ts";
import { recordEvent } from "./events.ts";
import { sendNotice } from "./notices.ts";

interface Claim {
  readonly no: number;
  readonly id: string;
  readonly title: string;
  readonly createdByNo: number | null;
}

/**
 * Opens the tasks an execution had claimed when it ended. Both sides are told: the agent that held the task, should it
 * come back, and the agent that waits for it.
 */
export async function releaseClaimsOf(
  ctx: Context,
  execution: {
    readonly no: number;
    readonly id: string;
    readonly agentNo: number;
    readonly agentId: string;
    readonly scopeNo: number;
  },
  cause: string,
): Promise<void> {
  const claims = await ctx.tx.all<Claim>(
    `SELECT no, id, title, created_by_no AS createdByNo FROM tasks
      WHERE claimed_execution_no = ? AND status = 'claimed' ORDER BY no`,
    execution.no,
  );
  for (const claim of claims) {
    await openTask(ctx, claim.no);
    await recordEvent(ctx, execution.scopeNo, "task.released", claim.id, {
      previousClaimedBy: execution.agentId,
      executionId: execution.id,
      reason: "execution_expired",
      cause,
      status: "open",
    });
    const about = { kind: "task", id: claim.id } as const;
    const scope = { no: execution.scopeNo };
    await sendNotice(ctx, scope, execution.agentNo, {
      body: `Your claim on task "${claim.title}" ended because your execution did (${cause}). It is open again.`,
      about,
    });
    if (claim.createdByNo !== null && claim.createdByNo !== execution.agentNo) {
      await sendNotice(ctx, scope, claim.createdByNo, {
        body: `${execution.agentId} lost its claim on task "${claim.title}" (${cause}). It is open again.`,
        about,
      });
    }
  }
}

/** Makes a claimed task claimable again. */
export async function openTask(ctx: Context, taskNo: number): Promise<void> {
  const task = await ctx.tx.get<{ scopeNo: number }>(
    `UPDATE tasks SET status = 'open', claimed_by_no = NULL, claimed_execution_no = NULL, updated_at = ?
      WHERE no = ? RETURNING scope_no AS scopeNo`,
    ctx.now,
    taskNo,
  );
  if (task) ctx.wakes.add(channels.tasks(task.scopeNo));
}
