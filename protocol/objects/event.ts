import { z } from "zod";
import { identifier, instant } from "../ids.ts";

export const event = z
  .object({
    id: identifier,
    scopeId: identifier,
    type: z.string(),
    subjectId: z.string(),
    revision: z.int().meta({ description: "Position in its scope, from 1, without gaps." }),
    attributes: z.record(z.string(), z.string()),
    createdAt: instant,
  })
  .meta({ id: "Event" });
export type Event = z.output<typeof event>;

/** Name under which the stream of all scopes says that events are missing. */
export const RESYNC = "resync";
export const resync = z.object({}).meta({
  id: "Resync",
  description:
    "Events after the given position are gone, or the position is not one of this daemon's: rebuild from the resources, " +
    "and go on after the `id` this came with.",
});

export const eventPage = z
  .object({
    scopeId: identifier,
    events: z.array(event),
    nextRevision: z.int(),
    currentRevision: z.int(),
    minimumCursor: z.int().meta({ description: "Oldest cursor that still gets every event after it." }),
    resyncRequired: z
      .boolean()
      .meta({ description: "Events were pruned: rebuild from the resources, continue at nextRevision." }),
  })
  .meta({ id: "EventPage" });
export type EventPage = z.output<typeof eventPage>;
