import {
  IntercomError,
  type IssuedOutputPrincipal,
  LIMITS,
  type OutputPrincipal,
  type OutputStream,
  type ParsedInput,
} from "../../protocol/index.ts";
import { agentNoOf } from "./agents.ts";
import type { OwnerCaller, Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import {
  type IssuedPrincipal,
  issuePrincipal,
  listPrincipals,
  type PrincipalRow,
  rotatePrincipal,
  setPrincipalEnabled,
} from "./credentials.ts";
import { toInstant } from "./encoding.ts";
import { recordEvent } from "./events.ts";

/** Streams of values, who may publish to them, and credentials for those outside the scope. */

export interface StreamRow {
  readonly no: number;
  readonly id: string;
  readonly scopeNo: number;
  readonly name: string;
  readonly retentionLimit: number;
  readonly sequence: number;
  readonly floor: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Whole streams; append the condition. */
export const SELECT_STREAMS = `SELECT no, id, scope_no AS scopeNo, name, retention_limit AS retentionLimit, sequence, floor,
  created_at AS createdAt, updated_at AS updatedAt FROM output_streams`;

async function streamRow(ctx: Context, scope: Scope, id: string): Promise<StreamRow> {
  const row = await ctx.tx.get<StreamRow>(`${SELECT_STREAMS} WHERE id = ? AND scope_no = ?`, id, scope.no);
  if (!row) throw new IntercomError("NOT_FOUND", `Output stream ${id} does not exist`);
  return row;
}

async function toStream(ctx: Context, scope: Scope, row: StreamRow): Promise<OutputStream> {
  const publishers = await ctx.tx.all<{ id: string }>(
    "SELECT a.id FROM output_publishers p JOIN agents a ON a.no = p.agent_no WHERE p.stream_no = ? ORDER BY a.id",
    row.no,
  );
  return {
    id: row.id,
    scopeId: scope.id,
    name: row.name,
    retentionLimit: row.retentionLimit,
    currentSequence: row.sequence,
    minimumCursor: row.floor,
    publisherAgentIds: publishers.map((publisher) => publisher.id),
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

export async function createOutputStream(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"createOutputStream">,
): Promise<OutputStream> {
  const { scope } = caller;
  const limit = LIMITS.outputStreamsPerScope;
  const count = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM output_streams WHERE scope_no = ?",
    scope.no,
  );
  if ((count?.n ?? 0) >= limit)
    throw new IntercomError("BACKPRESSURE", `The scope has ${limit} output streams`, { limit });
  const publishers: number[] = [];
  for (const agentId of input.publisherAgentIds ?? []) publishers.push(await agentNoOf(ctx, scope.no, agentId));
  const taken = await ctx.tx.get<{ id: string }>(
    "SELECT id FROM output_streams WHERE scope_no = ? AND name = ?",
    scope.no,
    input.name,
  );
  if (taken) throw new IntercomError("CONFLICT", `name: ${input.name} is in use already`, { streamId: taken.id });
  const id = ctx.ids.next("outputStream");
  const retentionLimit = input.retentionLimit ?? LIMITS.outputRetentionDefault;
  const row = await ctx.tx.get<{ no: number }>(
    `INSERT INTO output_streams (id, scope_no, name, retention_limit, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?) RETURNING no`,
    id,
    scope.no,
    input.name,
    retentionLimit,
    ctx.now,
    ctx.now,
  );
  const { no } = row as { no: number };
  for (const agentNo of publishers) {
    await ctx.tx.run("INSERT INTO output_publishers (stream_no, agent_no) VALUES (?, ?)", no, agentNo);
  }
  await recordEvent(ctx, scope.no, "output.stream_created", id, { retentionLimit });
  return toStream(ctx, scope, await streamRow(ctx, scope, id));
}

export async function listOutputStreams(ctx: Context, caller: OwnerCaller): Promise<OutputStream[]> {
  const rows = await ctx.tx.all<StreamRow>(`${SELECT_STREAMS} WHERE scope_no = ? ORDER BY no`, caller.scope.no);
  const streams: OutputStream[] = [];
  for (const row of rows) streams.push(await toStream(ctx, caller.scope, row));
  return streams;
}

export async function getOutputStream(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"getOutputStream">,
): Promise<OutputStream> {
  return toStream(ctx, caller.scope, await streamRow(ctx, caller.scope, input.streamId));
}

export async function removeOutputStream(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"removeOutputStream">,
): Promise<{ removed: true }> {
  const { no, id } = await streamRow(ctx, caller.scope, input.streamId);
  await ctx.tx.run("DELETE FROM principals WHERE kind = 'output' AND resource_no = ?", no);
  await ctx.tx.run("DELETE FROM output_streams WHERE no = ?", no);
  await recordEvent(ctx, caller.scope.no, "output.stream_removed", id, {});
  // Whoever waits for the next value must learn that there is none.
  ctx.wakes.add(channels.output(id));
  return { removed: true };
}

async function setPublisher(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"addOutputPublisher">,
  allowed: boolean,
): Promise<OutputStream> {
  const { scope } = caller;
  const stream = await streamRow(ctx, scope, input.streamId);
  // A grant outlives its agent's place on the list, and must be possible to take back meanwhile.
  const agentNo = await agentNoOf(ctx, scope.no, input.agentId, { removedToo: !allowed });
  const changed = allowed ? await addPublisher(ctx, stream, agentNo) : await dropPublisher(ctx, stream, agentNo);
  if (changed) {
    await ctx.tx.run("UPDATE output_streams SET updated_at = ? WHERE no = ?", ctx.now, stream.no);
    const type = allowed ? "output.publisher_added" : "output.publisher_removed";
    await recordEvent(ctx, scope.no, type, stream.id, { agentId: input.agentId });
  }
  return toStream(ctx, scope, await streamRow(ctx, scope, stream.id));
}

async function addPublisher(ctx: Context, stream: StreamRow, agentNo: number): Promise<boolean> {
  const found = await ctx.tx.get(
    "SELECT 1 AS found FROM output_publishers WHERE stream_no = ? AND agent_no = ?",
    stream.no,
    agentNo,
  );
  if (found) return false;
  const limit = LIMITS.outputPublishers;
  const count = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM output_publishers WHERE stream_no = ?",
    stream.no,
  );
  if ((count?.n ?? 0) >= limit)
    throw new IntercomError("BACKPRESSURE", `The stream has ${limit} publishers`, { limit });
  await ctx.tx.run("INSERT INTO output_publishers (stream_no, agent_no) VALUES (?, ?)", stream.no, agentNo);
  return true;
}

async function dropPublisher(ctx: Context, stream: StreamRow, agentNo: number): Promise<boolean> {
  const dropped = await ctx.tx.run(
    "DELETE FROM output_publishers WHERE stream_no = ? AND agent_no = ?",
    stream.no,
    agentNo,
  );
  return dropped > 0;
}

export async function addOutputPublisher(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"addOutputPublisher">,
): Promise<OutputStream> {
  return setPublisher(ctx, caller, input, true);
}

export async function removeOutputPublisher(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"removeOutputPublisher">,
): Promise<OutputStream> {
  return setPublisher(ctx, caller, input, false);
}

function toPrincipal(scope: Scope, row: PrincipalRow): OutputPrincipal {
  return {
    id: row.id,
    scopeId: scope.id,
    streamId: row.resourceId,
    label: row.label,
    permissions: [...row.permissions],
    enabled: row.enabled,
    createdAt: toInstant(row.createdAt),
    updatedAt: toInstant(row.updatedAt),
  };
}

function toIssued(scope: Scope, { principal, credential }: IssuedPrincipal): IssuedOutputPrincipal {
  return { principal: toPrincipal(scope, principal), credential };
}

export async function createOutputPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"createOutputPrincipal">,
): Promise<IssuedOutputPrincipal> {
  const { scope } = caller;
  const { no } = await streamRow(ctx, scope, input.streamId);
  const issue = { kind: "output", resourceNo: no, label: input.label, permissions: input.permissions } as const;
  return toIssued(scope, await issuePrincipal(ctx, scope, issue));
}

export async function listOutputPrincipals(ctx: Context, caller: OwnerCaller): Promise<OutputPrincipal[]> {
  return (await listPrincipals(ctx, caller.scope, "output")).map((row) => toPrincipal(caller.scope, row));
}

export async function rotateOutputPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"rotateOutputPrincipal">,
): Promise<IssuedOutputPrincipal> {
  return toIssued(caller.scope, await rotatePrincipal(ctx, caller.scope, "output", input.principalId));
}

export async function enableOutputPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"enableOutputPrincipal">,
): Promise<OutputPrincipal> {
  return toPrincipal(caller.scope, await setPrincipalEnabled(ctx, caller.scope, "output", input.principalId, true));
}

export async function disableOutputPrincipal(
  ctx: Context,
  caller: OwnerCaller,
  input: ParsedInput<"disableOutputPrincipal">,
): Promise<OutputPrincipal> {
  return toPrincipal(caller.scope, await setPrincipalEnabled(ctx, caller.scope, "output", input.principalId, false));
}
