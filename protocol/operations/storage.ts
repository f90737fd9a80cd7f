import { z } from "zod";
import { flag } from "../fields.ts";
import { anyInstant } from "../ids.ts";
import { pruneResult, storageSummary } from "../objects/storage.ts";
import { operation } from "../operation.ts";

/** How much a scope holds, and what of it may go. */
export const storageOperations = {
  storageSummary: operation({
    summary: "What the scope stores, by kind and state",
    method: "GET",
    path: "/v1/scope/storage",
    authority: "scope",
    input: z.strictObject({}),
    result: storageSummary,
  }),
  pruneScope: operation({
    summary: "Remove what was finished before an instant, or count it",
    description:
      "Counts only, unless `execute` is true; nothing else ever removes anything. Messages nobody has dealt with, requests " +
      "without their answer, unfinished tasks with all they depend on, and open questions stay. Removing takes many short " +
      "transactions; a call that was cut off may be repeated.",
    method: "POST",
    path: "/v1/scope/storage/prune",
    authority: "scope",
    input: z.strictObject({ before: anyInstant, execute: flag.optional() }),
    result: pruneResult,
    errors: ["CONFLICT"],
    idempotency: "natural",
    slow: true,
  }),
};
