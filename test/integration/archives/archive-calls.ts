import { hash } from "node:crypto";
import { readdirSync } from "node:fs";
import type { ScopeArchive } from "../../../protocol/index.ts";
import { ScopeActor } from "../../support/actors.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { type Answer, exchange } from "../../support/http.ts";

export async function exportOf(
  intercom: TestDaemon,
  scopeId: string,
  options: { readonly extensions?: boolean; readonly whileRunning?: boolean } = {},
): Promise<ScopeArchive> {
  return intercom.admin.call("exportScope", { scopeId, ...options });
}

/** Sends any text as an archive. */
export function importText(intercom: TestDaemon, text: string | Uint8Array<ArrayBuffer>): Promise<Answer> {
  const request = { method: "POST", path: "/v1/admin/scopes/import", body: text };
  return exchange(intercom.address, request, { token: intercom.adminToken });
}

/** Makes a scope of an archive that must be accepted as a new one. */
export async function importNew(intercom: TestDaemon, archive: unknown): Promise<ScopeActor> {
  const answer = await importText(intercom, JSON.stringify(archive));
  const { result } = answer.body as { result?: { scopeId: string; scopeToken: string; imported: boolean } };
  if (answer.status !== 201 || result?.imported !== true) {
    throw new Error(`The archive was not imported: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  return new ScopeActor(intercom, result.scopeId, result.scopeToken);
}

export async function deleteScope(intercom: TestDaemon, scopeId: string): Promise<void> {
  await intercom.admin.call("deleteScope", { scopeId, confirmScopeId: scopeId });
}

/** Number of rows of every table, and what is left of jobs. */
export function stored(intercom: TestDaemon): Record<string, number> {
  const counts = intercom.sql((db) => {
    const tables = db.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all();
    return Object.fromEntries(
      tables.map((table) => [table, db.prepare<[], number>(`SELECT COUNT(*) FROM "${table}"`).pluck().get() ?? 0]),
    );
  });
  return { ...counts, "temporary files": temporaryFiles(intercom).length };
}

export function temporaryFiles(intercom: TestDaemon): string[] {
  return readdirSync(intercom.daemon.directories.dataDir).filter((name) => name.startsWith("temporary-"));
}

/** The forms in which a secret could be in a text. */
export function tracesOf(secret: string): string[] {
  const sha256 = (text: string) => [hash("sha256", text, "base64url"), hash("sha256", text, "hex")];
  const parts = secret.includes(".") ? [secret.slice(secret.indexOf(".") + 1)] : [];
  return [secret, ...parts].flatMap((text) => [text, ...sha256(text)]);
}
