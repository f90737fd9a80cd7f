import { type Escalation, IntercomError, LIMITS, type ParsedInput } from "../../protocol/index.ts";
import type { OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { numericCursor } from "./encoding.ts";
import { type EscalationRow, escalationRow, SELECT_ESCALATIONS, toEscalation } from "./escalation-rows.ts";
import { recordEvent } from "./events.ts";

type Input = ParsedInput<"listEscalationHistory">;

interface Head {
  readonly no: number;
  readonly status: Escalation["status"];
  readonly agentNo: number;
}

/** Questions that were settled, in the order they were asked, the newest first. */
export async function listEscalationHistory(ctx: Context, caller: OwnerCaller, input: Input) {
  const { scope } = caller;
  const limit = input.limit ?? LIMITS.messagePageDefault;
  const wanted = await filter(ctx, caller, input);
  // All of it is in an index, so that looking for few among many stays cheap.
  const looked = await ctx.tx.all<Head>(
    `SELECT no, status, agent_no AS agentNo FROM escalations WHERE scope_no = ? AND status <> 'pending' AND no < ?
      ORDER BY no DESC LIMIT ?`,
    scope.no,
    numericCursor(input.before, "before", Number.MAX_SAFE_INTEGER),
    LIMITS.searchedEscalations + 1,
  );
  const escalations: Escalation[] = [];
  for (const [index, head] of looked.entries()) {
    if (index === LIMITS.searchedEscalations || escalations.length === limit) {
      return { escalations, nextCursor: String((looked[index - 1] as Head).no) };
    }
    if (!wanted.head(head)) continue;
    const row = (await ctx.tx.get<EscalationRow>(`${SELECT_ESCALATIONS} WHERE q.no = ?`, head.no)) as EscalationRow;
    if (wanted.row(row)) escalations.push(toEscalation(row, scope));
  }
  return { escalations };
}

async function filter(ctx: Context, { scope }: OwnerCaller, { status, agentId, text }: Input) {
  const agent =
    agentId === undefined
      ? undefined
      : await ctx.tx.get<{ no: number }>("SELECT no FROM agents WHERE scope_no = ? AND id = ?", scope.no, agentId);
  if (agentId !== undefined && !agent) throw new IntercomError("NOT_FOUND", `Agent ${agentId} does not exist`);
  const wanted = text?.toLowerCase();
  return {
    head: (head: Head) =>
      (status === undefined || head.status === status) && (agent === undefined || head.agentNo === agent.no),
    row: ({ question, answer, note }: EscalationRow) =>
      wanted === undefined || [question, answer, note].some((part) => part?.toLowerCase().includes(wanted)),
  };
}

/** What surfaces say of having shown a question: once each, however often they say it. */
export async function recordEscalationNotice(
  ctx: Context,
  caller: OwnerCaller,
  { escalationId, surface, verdict }: ParsedInput<"recordEscalationNotice">,
) {
  const row = await escalationRow(ctx, caller.scope, escalationId);
  const added = await ctx.tx.run(
    "INSERT OR IGNORE INTO escalation_notices (escalation_no, surface, verdict) VALUES (?, ?, ?)",
    row.no,
    surface,
    verdict,
  );
  if (added > 0) {
    const attributes = { agentId: row.agentId, surface, verdict };
    await recordEvent(ctx, caller.scope.no, "escalation.shown", row.id, attributes);
  }
  return { recorded: added > 0 };
}
