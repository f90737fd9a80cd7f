import { z } from "zod";
import { EVENT_KINDS } from "../events/index.ts";
import { backwardPage, integer, nextCursor, oneOf, waitMs } from "../fields.ts";
import { identifier } from "../ids.ts";
import { LIMITS } from "../limits.ts";
import { event, eventPage } from "../objects/event.ts";
import { operation } from "../operation.ts";
import { text } from "../text.ts";

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
  listEventsPage: operation({
    summary: "Events newest first",
    description:
      "`kind` is the part of the type before the dot. With `agentId` only events that are about that agent or name it. Such a page " +
      `looks at ${LIMITS.searchedEvents} events, so it may hold few or none and still have a \`nextCursor\`.`,
    method: "GET",
    path: "/v1/scope/events",
    authority: "scope",
    input: z.strictObject({
      kind: oneOf(EVENT_KINDS).optional(),
      subjectId: text(2 * LIMITS.identifierLength + 1)
        .meta({ description: "What the events are about, as `subjectId` of an event has it." })
        .optional(),
      agentId: identifier.optional(),
      ...backwardPage,
    }),
    result: z.object({ events: z.array(event), nextCursor }),
  }),
};
