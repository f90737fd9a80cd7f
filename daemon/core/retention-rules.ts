import type { Context } from "./context.ts";

/**
 * What has been finished with before an instant, as conditions for queries: the plan asks them of everything, and each
 * step of a removal asks them once more of what it is about to remove. Each takes the instant as parameter.
 */

/** When a message of alias `m` was finished with; null while it is not. */
function finishedAt(m: string): string {
  return `CASE ${m}.state WHEN 'acknowledged' THEN ${m}.acknowledged_at WHEN 'expired' THEN ${m}.expires_at
                          WHEN 'dead_lettered' THEN ${m}.dead_lettered_at END`;
}

const FINISHED = `COALESCE(${finishedAt("m")} < ?, 0)`;
const ANSWER_FINISHED = `COALESCE(${finishedAt("a")} < ?, 0)`;

/** A request nobody will answer any more. One that was delivered still may be. */
const UNANSWERABLE = "(m.state = 'dead_lettered' OR (m.state = 'expired' AND m.delivered_at IS NULL))";

/**
 * Of a message `m` with its answer `a`, outside of A2A: whether both may go. An answer is asked for with its request.
 * Takes the instant twice.
 */
export const MESSAGE_ENDED = `(${FINISHED} AND CASE m.mode WHEN 'notify' THEN 1 WHEN 'response' THEN 0
  ELSE CASE WHEN m.response_message_id IS NULL THEN ${UNANSWERABLE} ELSE 1 END END
  AND (m.response_message_id IS NULL OR ${ANSWER_FINISHED}))`;

export const TASK_ENDED = "(status IN ('done', 'cancelled') AND updated_at < ?)";
export const ESCALATION_ENDED = "(status <> 'pending' AND COALESCE(resolved_at, cancelled_at, expired_at) < ?)";
export const LINK_REQUEST_ENDED = "(status <> 'pending' AND resolved_at < ?)";
export const A2A_TASK_ENDED = "(state IN ('completed', 'failed', 'canceled', 'rejected') AND updated_at < ?)";

/** The messages of an A2A task: its client's and the answers. */
export interface A2aUnit {
  readonly ended: boolean;
  readonly correlations: number;
  readonly seqs: readonly number[];
}

export async function a2aUnit(ctx: Context, taskNo: number, before: number): Promise<A2aUnit> {
  const rows = await ctx.tx.all<{ seq: number; answerSeq: number | null; ended: number }>(
    `SELECT m.seq, a.seq AS answerSeq, ${MESSAGE_ENDED} AS ended
       FROM a2a_messages c JOIN messages m ON m.id = c.message_id LEFT JOIN messages a ON a.id = m.response_message_id
      WHERE c.task_no = ? ORDER BY c.no`,
    before,
    before,
    taskNo,
  );
  return {
    ended: rows.every((row) => row.ended === 1),
    correlations: rows.length,
    seqs: rows.flatMap((row) => (row.answerSeq === null ? [row.seq] : [row.seq, row.answerSeq])),
  };
}
