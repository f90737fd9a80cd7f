import { IntercomError, LIMITS, type OutputPermission } from "../../protocol/index.ts";
import type { Scope } from "./caller.ts";
import { type Context, channels } from "./context.ts";
import { fromJson, tokenHash } from "./encoding.ts";
import { recordEvent } from "./events.ts";

/** Credentials for those outside a scope: each gives its holder one kind of access to one resource. */

export type PrincipalKind = "a2a" | "output";

/** What a credential is for, as events name it. */
const RESOURCE_TYPES = { a2a: "a2aPublication", output: "outputStream" } as const;

export interface PrincipalRow {
  readonly no: number;
  readonly id: string;
  readonly resourceNo: number;
  readonly resourceId: string;
  readonly label: string;
  readonly permissions: readonly OutputPermission[];
  readonly enabled: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
}

interface StoredPrincipal extends Omit<PrincipalRow, "permissions" | "enabled"> {
  readonly permissions: string;
  readonly enabled: number;
}

const RESOURCES: Readonly<Record<PrincipalKind, string>> = { a2a: "a2a_publications", output: "output_streams" };

function select(kind: PrincipalKind): string {
  return `SELECT p.no, p.id, p.resource_no AS resourceNo, r.id AS resourceId, p.label, p.permissions, p.enabled,
                 p.created_at AS createdAt, p.updated_at AS updatedAt
            FROM principals p JOIN ${RESOURCES[kind]} r ON r.no = p.resource_no
           WHERE p.kind = '${kind}' AND p.token_hash IS NOT NULL`;
}

function toRow(stored: StoredPrincipal): PrincipalRow {
  return { ...stored, permissions: fromJson<OutputPermission[]>(stored.permissions), enabled: stored.enabled === 1 };
}

export async function listPrincipals(ctx: Context, scope: Scope, kind: PrincipalKind): Promise<PrincipalRow[]> {
  const rows = await ctx.tx.all<StoredPrincipal>(`${select(kind)} AND p.scope_no = ? ORDER BY p.no`, scope.no);
  return rows.map(toRow);
}

async function principalById(ctx: Context, scope: Scope, kind: PrincipalKind, id: string): Promise<PrincipalRow> {
  const row = await ctx.tx.get<StoredPrincipal>(`${select(kind)} AND p.scope_no = ? AND p.id = ?`, scope.no, id);
  if (!row) throw new IntercomError("NOT_FOUND", `Credential ${id} does not exist`);
  return toRow(row);
}

export interface NewPrincipal {
  readonly kind: PrincipalKind;
  readonly resourceNo: number;
  readonly label: string;
  readonly permissions: readonly OutputPermission[];
}

export interface IssuedPrincipal {
  readonly principal: PrincipalRow;
  /** Goes to the caller and nowhere else. */
  readonly credential: string;
}

/** @throws BACKPRESSURE when the scope has issued too many */
export async function issuePrincipal(ctx: Context, scope: Scope, issue: NewPrincipal): Promise<IssuedPrincipal> {
  const limit = LIMITS.scopedCredentialsPerScope;
  const count = await ctx.tx.get<{ n: number }>(
    "SELECT COUNT(*) AS n FROM principals WHERE scope_no = ? AND token_hash IS NOT NULL",
    scope.no,
  );
  if ((count?.n ?? 0) >= limit)
    throw new IntercomError("BACKPRESSURE", `The scope has issued ${limit} credentials`, { limit });
  const id = ctx.ids.next("credential");
  const credential = newCredential(ctx, id);
  await ctx.tx.run(
    `INSERT INTO principals (id, scope_no, kind, resource_no, label, permissions, token_hash, enabled, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
    id,
    scope.no,
    issue.kind,
    issue.resourceNo,
    issue.label,
    JSON.stringify(issue.permissions),
    tokenHash(credential),
    ctx.now,
    ctx.now,
  );
  const principal = await principalById(ctx, scope, issue.kind, id);
  await recordCredential(ctx, scope, "credential.created", issue.kind, principal);
  return { principal, credential };
}

/** The id in front lets its owner see which credential it is. */
export function newCredential(ctx: Context, id: string): string {
  return `${id}.${ctx.ids.token()}`;
}

/** @throws NOT_FOUND */
export async function rotatePrincipal(
  ctx: Context,
  scope: Scope,
  kind: PrincipalKind,
  id: string,
): Promise<IssuedPrincipal> {
  const { no } = await principalById(ctx, scope, kind, id);
  const credential = newCredential(ctx, id);
  await ctx.tx.run(
    "UPDATE principals SET token_hash = ?, updated_at = ? WHERE no = ?",
    tokenHash(credential),
    ctx.now,
    no,
  );
  const principal = await principalById(ctx, scope, kind, id);
  await recordCredential(ctx, scope, "credential.rotated", kind, principal);
  return { principal, credential };
}

/** @throws NOT_FOUND */
export async function setPrincipalEnabled(
  ctx: Context,
  scope: Scope,
  kind: PrincipalKind,
  id: string,
  enabled: boolean,
): Promise<PrincipalRow> {
  const before = await principalById(ctx, scope, kind, id);
  if (before.enabled === enabled) return before;
  await ctx.tx.run(
    "UPDATE principals SET enabled = ?, updated_at = ? WHERE no = ?",
    enabled ? 1 : 0,
    ctx.now,
    before.no,
  );
  const principal = await principalById(ctx, scope, kind, id);
  await recordCredential(ctx, scope, enabled ? "credential.enabled" : "credential.disabled", kind, principal);
  return principal;
}

async function recordCredential(
  ctx: Context,
  scope: Scope,
  type: "credential.created" | "credential.rotated" | "credential.enabled" | "credential.disabled",
  kind: PrincipalKind,
  principal: PrincipalRow,
): Promise<void> {
  // A reader that waits looks again, and finds whether its credential is still good.
  if (kind === "output") ctx.wakes.add(channels.output(principal.resourceId));
  await recordEvent(ctx, scope.no, type, principal.id, {
    resourceType: RESOURCE_TYPES[kind],
    resourceId: principal.resourceId,
    permissions: principal.permissions.join(","),
    enabled: principal.enabled,
  });
}
