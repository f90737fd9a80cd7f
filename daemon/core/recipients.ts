import { HUMAN_PARTY, IntercomError, type Lifecycle, type ParsedInput } from "../../protocol/index.ts";
import { isReachable } from "./agents.ts";
import type { AgentCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO, isPrincipalParty } from "./conversations.ts";
import { toInstant } from "./encoding.ts";

/** Who a message goes to, with everything that deciding about it and answering its sender needs, read in one go. */
export interface Recipient {
  readonly no: number;
  readonly id: string;
  /** Conversation with the sender, if there ever was one. */
  readonly conversationNo: number | null;
  readonly linkedAt: number | null;
  readonly presence?: AgentPresence;
}

interface AgentPresence {
  readonly lifecycle: Lifecycle;
  readonly ready: number;
  readonly lastSeenAt: number;
  readonly leaseExpiresAt: number;
  readonly endedAt: number | null;
}

const PRESENCE = `a.lifecycle, a.ready, a.last_seen_at AS lastSeenAt, e.lease_expires_at AS leaseExpiresAt,
  e.ended_at AS endedAt`;

/** An agent of the scope as seen by the party `senderNo`. */
export async function findRecipient(
  ctx: Context,
  scope: Scope,
  senderNo: number,
  agentId: string,
): Promise<Recipient | undefined> {
  const row = await ctx.tx.get<Omit<Recipient, "presence"> & AgentPresence>(
    `SELECT a.no, a.id, c.no AS conversationNo, c.linked_at AS linkedAt, ${PRESENCE}
       FROM agents a JOIN executions e ON e.no = a.execution_no
            LEFT JOIN conversations c ON c.left_no = CASE WHEN a.no < ? THEN a.no ELSE ? END
                                     AND c.right_no = CASE WHEN a.no < ? THEN ? ELSE a.no END
      WHERE a.scope_no = ? AND a.id = ? AND a.removed_at IS NULL`,
    senderNo,
    senderNo,
    senderNo,
    senderNo,
    scope.no,
    agentId,
  );
  return row && { no: row.no, id: row.id, conversationNo: row.conversationNo, linkedAt: row.linkedAt, presence: row };
}

function human(): Recipient {
  return { no: HUMAN_NO, id: HUMAN_PARTY, conversationNo: null, linkedAt: null };
}

/** Whoever asked gets the answer: the request itself is the permission to answer it. @throws {IntercomError} NOT_FOUND */
export async function recipientOfResponse(
  ctx: Context,
  scope: Scope,
  senderNo: number,
  asked: { readonly senderNo: number; readonly from: string },
): Promise<Recipient> {
  if (asked.senderNo === HUMAN_NO) return human();
  if (isPrincipalParty(asked.senderNo)) {
    return { no: asked.senderNo, id: asked.from, conversationNo: null, linkedAt: null };
  }
  const agent = await findRecipient(ctx, scope, senderNo, asked.from);
  if (agent) return agent;
  throw new IntercomError("NOT_FOUND", `Agent ${asked.from} does not exist`);
}

/** Whom an agent may write to first. @throws {IntercomError} NOT_FOUND, PERMISSION_DENIED or INVALID_ARGUMENT */
export async function recipientOfAgent(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"sendMessage">,
): Promise<Recipient> {
  if (input.toKind === "human") {
    if (input.to !== HUMAN_PARTY) {
      throw new IntercomError("INVALID_ARGUMENT", `to: expected ${HUMAN_PARTY} with toKind human`);
    }
    if (input.mode === "request") {
      throw new IntercomError("INVALID_ARGUMENT", "mode: a question to the human is an escalation; expected notify");
    }
    return human();
  }
  const agent = await findRecipient(ctx, caller.scope, caller.agentNo, input.to);
  if (agent?.no === caller.agentNo) throw new IntercomError("INVALID_ARGUMENT", "to: expected another agent");
  if (caller.scope.linkPolicy === "open") {
    if (agent) return agent;
    throw new IntercomError("NOT_FOUND", `Agent ${input.to} does not exist`);
  }
  // One answer for strangers and for names that do not exist: nobody is found out by trying.
  if (agent && agent.linkedAt !== null) return agent;
  throw new IntercomError("PERMISSION_DENIED", `${input.to} is not a peer of ${caller.agentId}`);
}

export function toPresence(presence: AgentPresence, now: number) {
  const reachable = isReachable(presence, now);
  return { reachable, ready: reachable && presence.ready === 1, lastSeenAt: toInstant(presence.lastSeenAt) };
}

/** What is known of an agent that a message waits for. */
export async function presenceOf(ctx: Context, agentNo: number) {
  const row = await ctx.tx.get<AgentPresence>(
    `SELECT ${PRESENCE} FROM agents a JOIN executions e ON e.no = a.execution_no WHERE a.no = ?`,
    agentNo,
  );
  return toPresence(row as AgentPresence, ctx.now);
}
