import { z } from "zod";
import { integer } from "../fields.ts";
import { health, liveness, overview } from "../objects/daemon.ts";
import { event, RESYNC, resync } from "../objects/event.ts";
import { operation } from "../operation.ts";

const nothing = z.strictObject({});

/** Health, and what only the admin credential may do to the daemon as a whole. */
export const daemonOperations = {
  health: operation({
    summary: "Whether the daemon is ready, and what it speaks",
    description: "Answers 503 with the same object while storage is unavailable.",
    method: "GET",
    path: "/health",
    aliases: ["/health/ready"],
    authority: "none",
    input: nothing,
    result: health,
    budget: "control",
    framing: "bare",
  }),
  liveness: operation({
    summary: "Whether the process is alive, whatever its storage says",
    method: "GET",
    path: "/health/live",
    authority: "none",
    input: nothing,
    result: liveness,
    budget: "control",
    framing: "bare",
  }),
  shutdown: operation({
    summary: "Stop the daemon gracefully",
    method: "POST",
    path: "/v1/admin/shutdown",
    authority: "admin",
    input: nothing,
    result: z.object({ stopping: z.literal(true) }),
    status: 202,
    idempotency: "natural",
    budget: "control",
  }),
  overview: operation({
    summary: "Counts per scope and in total, and storage size",
    method: "GET",
    path: "/v1/admin/overview",
    authority: "admin",
    input: nothing,
    result: overview,
  }),
  watchAllEvents: operation({
    summary: "Follow the events of every scope as Server-Sent Events",
    description:
      "Each event's `id` is its daemon-wide sequence number. Resume with the `Last-Event-ID` header or `after`; " +
      "without either the stream begins with what happens next. A comment is sent every 15 s. An event named `resync` " +
      "means that events after the given position are gone: rebuild, and go on after its `id`.",
    method: "GET",
    path: "/v1/admin/events",
    authority: "admin",
    input: z.strictObject({ after: integer(0, Number.MAX_SAFE_INTEGER).optional() }),
    result: event,
    framing: "events",
    signals: { [RESYNC]: resync },
  }),
};
