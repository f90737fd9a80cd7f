import { IntercomError, LIMITS, type LinkRequest, type ParsedInput } from "../../protocol/index.ts";
import { agentNoOf } from "./agents.ts";
import type { AgentCaller, OwnerCaller, Scope } from "./caller.ts";
import type { Context } from "./context.ts";
import { arePeers } from "./conversations.ts";
import { optional, optionalInstant, page, toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";
import { link } from "./links.ts";
import { sendNotice } from "./notices.ts";

interface LinkRequestRow {
  readonly id: string;
  readonly fromNo: number;
  readonly toNo: number;
  readonly from: string;
  readonly to: string;
  readonly reason: string | null;
  readonly status: LinkRequest["status"];
  readonly createdAt: number;
  readonly resolvedAt: number | null;
}

const SELECT_REQUEST = `
  SELECT r.id, r.from_no AS fromNo, r.to_no AS toNo, f.id AS "from", t.id AS "to", r.reason, r.status,
         r.created_at AS createdAt, r.resolved_at AS resolvedAt
    FROM link_requests r JOIN agents f ON f.no = r.from_no JOIN agents t ON t.no = r.to_no`;

function toLinkRequest(row: LinkRequestRow, scopeId: string): LinkRequest {
  return {
    id: row.id,
    scopeId,
    from: row.from,
    to: row.to,
    ...optional("reason", row.reason),
    status: row.status,
    createdAt: toInstant(row.createdAt),
    ...optionalInstant("resolvedAt", row.resolvedAt),
  };
}

export async function requestLink(
  ctx: Context,
  caller: AgentCaller,
  input: ParsedInput<"requestLink">,
): Promise<LinkRequest> {
  if (input.to === caller.agentId) throw new IntercomError("INVALID_ARGUMENT", "to: expected another agent");
  const toNo = await agentNoOf(ctx, caller.scope.no, input.to);
  if (await arePeers(ctx, caller.scope, caller.agentNo, toNo)) {
    throw new IntercomError("CONFLICT", `${input.to} is a peer already`);
  }
  const pending = await ctx.tx.get<LinkRequestRow>(
    `${SELECT_REQUEST} WHERE r.from_no = ? AND r.to_no = ? AND r.status = 'pending'`,
    caller.agentNo,
    toNo,
  );
  if (pending) return toLinkRequest(pending, caller.scope.id);
  const count = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM link_requests WHERE from_no = ? AND status = 'pending'",
    caller.agentNo,
  );
  if ((count?.n ?? 0) >= LIMITS.pendingLinkRequestsPerAgent) {
    throw new IntercomError("BACKPRESSURE", "Too many link requests of this agent are pending");
  }
  const id = ctx.ids.next("linkRequest");
  await ctx.tx.run(
    `INSERT INTO link_requests (id, scope_no, from_no, to_no, reason, status, created_at)
     VALUES (?, ?, ?, ?, ?, 'pending', ?)`,
    id,
    caller.scope.no,
    caller.agentNo,
    toNo,
    input.reason ?? null,
    ctx.now,
  );
  await recordEvent(ctx, caller.scope.no, "link.requested", id, {
    from: caller.agentId,
    to: input.to,
    status: "pending",
  });
  return requestById(ctx, caller.scope, id);
}

async function requestRow(ctx: Context, scope: Scope, id: string): Promise<LinkRequestRow> {
  const row = await ctx.tx.get<LinkRequestRow>(`${SELECT_REQUEST} WHERE r.scope_no = ? AND r.id = ?`, scope.no, id);
  if (!row) throw new IntercomError("NOT_FOUND", `Link request ${id} does not exist`);
  return row;
}

async function requestById(ctx: Context, scope: Scope, id: string): Promise<LinkRequest> {
  return toLinkRequest(await requestRow(ctx, scope, id), scope.id);
}

export async function listLinkRequests(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"listLinkRequests">,
): Promise<{ linkRequests: LinkRequest[]; nextCursor?: string }> {
  const limit = input.limit ?? LIMITS.pageDefault;
  const rows = input.status
    ? await ctx.tx.all<LinkRequestRow>(
        `${SELECT_REQUEST} WHERE r.scope_no = ? AND r.status = ? AND r.id > ? ORDER BY r.id LIMIT ?`,
        caller.scope.no,
        input.status,
        input.after ?? "",
        limit + 1,
      )
    : await ctx.tx.all<LinkRequestRow>(
        `${SELECT_REQUEST} WHERE r.scope_no = ? AND r.id > ? ORDER BY r.id LIMIT ?`,
        caller.scope.no,
        input.after ?? "",
        limit + 1,
      );
  const { items, ...rest } = page(rows, limit, (row) => row.id);
  return { linkRequests: items.map((row) => toLinkRequest(row, caller.scope.id)), ...rest };
}

export async function resolveLinkRequest(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"resolveLinkRequest">,
): Promise<LinkRequest> {
  const request = await requestRow(ctx, caller.scope, input.linkRequestId);
  if (request.status !== "pending") {
    throw new IntercomError("CONFLICT", `The link request is ${request.status} already`, { status: request.status });
  }
  const status = input.accept ? "accepted" : "declined";
  await ctx.tx.run(
    "UPDATE link_requests SET status = ?, resolved_at = ? WHERE scope_no = ? AND id = ?",
    status,
    ctx.now,
    caller.scope.no,
    request.id,
  );
  await recordEvent(ctx, caller.scope.no, "link.request_resolved", request.id, {
    from: request.from,
    to: request.to,
    status,
  });
  if (input.accept) {
    await link(ctx, caller.scope, { no: request.fromNo, id: request.from }, { no: request.toNo, id: request.to });
  }
  await sendNotice(ctx, caller.scope, request.fromNo, {
    body: input.accept
      ? `You and ${request.to} are linked now.`
      : `Your request to be linked with ${request.to} was declined.`,
    about: { kind: "linkRequest", id: request.id },
  });
  return requestById(ctx, caller.scope, request.id);
}
