import { resultOf } from "../http/envelope.ts";
import { at } from "../http/path.ts";
import type { Run } from "./run.ts";

/** Remembers to delete a scope at the end; one that does not exist by then is no problem. */
export function removeAtEnd(run: Run, scopeId: string): void {
  run.atEnd(async () => {
    const confirm = { confirmScopeId: scopeId };
    const answer = await run.cleaner.send("DELETE", at`/v1/admin/scopes/${scopeId}`, confirm, {
      token: run.adminToken,
    });
    try {
      resultOf(answer);
    } catch {
      throw new Error(`The scope ${scopeId} could not be deleted`);
    }
  });
}
