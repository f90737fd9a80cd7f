import type { AdminClient } from "./clients.ts";

/** Scope made when there is none, so that nobody has to learn about scopes to begin with. */
export const DEFAULT_SCOPE = "default";

/** Creates the first scope if there is none; returns its id when it did. */
export async function ensureDefaultScope(admin: AdminClient): Promise<string | undefined> {
  if ((await admin.listScopes()).length > 0) return undefined;
  await admin.createScope({ id: DEFAULT_SCOPE, linkPolicy: "open" });
  return DEFAULT_SCOPE;
}
