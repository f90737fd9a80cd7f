import { LIMITS } from "../../protocol/index.ts";
import type { Import } from "./archive-import.ts";
import { each, ms, msOrNull, textOrNull } from "./archive-import-parts.ts";
import { tokenHash } from "./encoding.ts";

/** Agents come back offline, each with an execution that has ended and whose token nobody has. */
export async function importAgents(work: Import): Promise<void> {
  const { ctx } = work;
  for (const { record, extended } of each(work, "agents")) {
    const row = await ctx.tx.get<{ no: number }>(
      `INSERT INTO agents (scope_no, id, display_name, capabilities, summary, metadata, notices, lifecycle, ready,
                           registered_at, updated_at, last_seen_at, removed_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, 'offline', 0, ?, ?, ?, ?) RETURNING no`,
      work.scopeNo,
      record.id,
      record.displayName,
      JSON.stringify(record.capabilities),
      extended?.summary ?? null,
      extended?.metadata === undefined ? null : JSON.stringify(extended.metadata),
      extended?.notices === false ? 0 : 1,
      ms(record.registeredAt),
      ms(record.updatedAt),
      ms(record.updatedAt),
      msOrNull(extended?.removedAt),
    );
    const { no } = row as { no: number };
    const execution = await ctx.tx.get<{ no: number }>(
      `INSERT INTO executions (id, agent_no, token_hash, lease_expires_at, created_at, ended_at, end_reason)
       VALUES (?, ?, ?, ?, ?, ?, 'imported') RETURNING no`,
      ctx.ids.next("execution"),
      no,
      tokenHash(ctx.ids.token()),
      ctx.now,
      ctx.now,
      ctx.now,
    );
    await ctx.tx.run("UPDATE agents SET execution_no = ? WHERE no = ?", (execution as { no: number }).no, no);
    work.agents.set(record.id, no);
  }
}

export async function importLinks(work: Import): Promise<void> {
  const seen = new Set<string>();
  for (const { record, fault } of each(work, "links")) {
    const left = fault.agentNo(work, record.left, "left");
    const right = fault.agentNo(work, record.right, "right");
    const key = `${record.left} ${record.right}`;
    if (record.left >= record.right) throw fault.error("expected left before right");
    if (seen.has(key)) throw fault.error("is there twice");
    seen.add(key);
    await work.ctx.tx.run(
      "INSERT INTO conversations (scope_no, left_no, right_no, linked_at) VALUES (?, ?, ?, ?)",
      work.scopeNo,
      Math.min(left, right),
      Math.max(left, right),
      ms(record.createdAt),
    );
  }
}

export async function importLinkRequests(work: Import): Promise<void> {
  const limit = LIMITS.pendingLinkRequestsPerAgent;
  const pending = new Map<number, Set<number>>();
  for (const { record, fault } of each(work, "linkRequests")) {
    const fromNo = fault.agentNo(work, record.from, "from");
    const toNo = fault.agentNo(work, record.to, "to");
    if (fromNo === toNo) throw fault.error("to: expected another agent");
    const open = record.status === "pending";
    if (open !== (record.resolvedAt === undefined)) {
      throw fault.error(`resolvedAt: expected ${open ? "none" : "one"} with status ${record.status}`);
    }
    if (open) {
      const asked = pending.get(fromNo) ?? new Set();
      pending.set(fromNo, asked);
      if (asked.has(toNo)) throw fault.error(`to: ${record.from} has asked for ${record.to} already`);
      asked.add(toNo);
      if (asked.size > limit) throw fault.error(`expected at most ${limit} pending requests of an agent`);
    }
    await work.ctx.tx.run(
      `INSERT INTO link_requests (id, scope_no, from_no, to_no, reason, status, created_at, resolved_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      record.id,
      work.scopeNo,
      fromNo,
      toNo,
      textOrNull(record.reason),
      record.status,
      ms(record.createdAt),
      msOrNull(record.resolvedAt),
    );
  }
}
