import { z } from "zod";
import { flag } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { scopeArchive } from "../objects/archive.ts";
import { operation } from "../operation.ts";

/** Moving one scope between daemons, and copying everything one daemon has. */
export const archiveOperations = {
  exportScope: operation({
    summary: "A portable archive of a scope",
    description:
      "Holds no credential. Refused while an agent of the scope is running, unless `whileRunning`: then claimed tasks are " +
      "open and reserved messages undelivered in the archive. `extensions` adds what other readers of the format do not know.",
    method: "GET",
    path: "/v1/admin/scopes/{scopeId}/export",
    authority: "admin",
    input: z.strictObject({ scopeId: identifier, extensions: flag.optional(), whileRunning: flag.optional() }),
    result: scopeArchive,
    errors: ["NOT_FOUND", "CONFLICT"],
    transfer: "download",
  }),
  importScope: operation({
    summary: "Make a scope from an archive",
    description:
      `At most ${LIMITS.archiveBytes / (1024 * 1024)} MiB, in one transaction. The very same archive again answers 200 with ` +
      "`imported: false` and no token; another archive for a scope that exists is CONFLICT. Agents are offline and " +
      "publications disabled until somebody takes them up again.",
    method: "POST",
    path: "/v1/admin/scopes/import",
    authority: "admin",
    input: z.strictObject(scopeArchive.shape),
    result: z.object({
      scopeId: identifier,
      scopeToken: z.string().meta({ description: "Shown once; only its hash is kept." }).optional(),
      imported: flag,
    }),
    status: 201,
    errors: ["CONFLICT"],
    idempotency: "natural",
    transfer: "upload",
  }),
  backup: operation({
    summary: "A copy of the whole database, taken while everything goes on",
    description:
      "Holds everything accepted before the call, and hashes of credentials: keep it as safe as the data itself.",
    method: "GET",
    path: "/v1/admin/backup",
    authority: "admin",
    input: z.strictObject({}),
    result: z.unknown().meta({ description: "SQLite database." }),
    framing: "binary",
    transfer: "download",
  }),
};
