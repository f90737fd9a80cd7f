import { z } from "zod";
import { integer, waitMs } from "../fields.ts";
import { LIMITS } from "../limits.ts";
import { eventPage } from "../objects/event.ts";
import { operation } from "../operation.ts";

/** The history of one scope, for its owner. */
export const eventOperations = {
  listEvents: operation({
    summary: "Events after a cursor, waiting for the next one if asked to",
    description: "Continue at `nextRevision`. An `after` beyond the newest event is INVALID_ARGUMENT.",
    method: "GET",
    path: "/v1/events",
    authority: "scope",
    input: z.strictObject({
      after: integer(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: integer(1, LIMITS.eventBatch).optional(),
      waitMs,
    }),
    result: eventPage,
    waits: true,
  }),
};
