import { equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Caller } from "../../http/caller.ts";
import { agent, eventPage } from "./objects.ts";
import { pruneReport, storageSummary } from "./owned-objects.ts";
import type { LocalWorld } from "./world.ts";

const MINUTE_MS = 60_000;

/** Checks 19 to 21 and 23: what the owner sees, what is cleared away, and what stays apart. */
export const eventChecks: readonly Check<LocalWorld>[] = [
  {
    name: "resumable-scope-events",
    proves: "The owner reads every change in order, without content, and waits for the next one.",
    async run(world) {
      const [planner, owner] = [world.planner.get(), world.owner.get()];
      const page = await owner.get("/v1/events?after=0&limit=100", eventPage);
      equal("whether the first cursor is good", page.resyncRequired, false);
      holds("the number of events", page.events.length > 0, { expected: "events", got: 0 });
      equal("the revision to go on from", page.nextRevision, page.currentRevision);
      for (const { type, attributes } of page.events) {
        const leak = Object.entries(attributes).find(([, value]) => world.content.includes(value));
        equal(`what ${type} tells of the content`, leak, undefined);
      }
      const waiting = owner.get(`/v1/events?after=${page.nextRevision}&waitMs=2000`, eventPage);
      // The heartbeat below may fail first, and the wait after it.
      waiting.catch(() => {});
      await planner.patch("/v1/me/heartbeat", { lifecycle: "working", ready: true, leaseMs: 30_000 }, agent);
      const { events } = await waiting;
      matches("what the wait brings", events, [{ type: "agent.lifecycle_changed", subjectId: "planner" }]);
      await planner.refused("GET", "/v1/events", undefined, "PERMISSION_DENIED");
    },
  },
];

export const retentionChecks: readonly Check<LocalWorld>[] = [
  {
    name: "storage-diagnostics-and-retention",
    proves: "The owner sees what is stored, and a prune removes exactly what its dry run has announced.",
    async run(world) {
      const [planner, owner] = [world.planner.get(), world.owner.get()];
      const summary = await owner.get("/v1/scope/storage", storageSummary);
      const { length } = summary.records;
      const got = { records: length, totalEstimatedBytes: summary.totalEstimatedBytes };
      holds("the storage summary", length > 0 && summary.totalEstimatedBytes > 0, { expected: "more than 0", got });
      await planner.refused("GET", "/v1/scope/storage", undefined, "PERMISSION_DENIED");

      const before = new Date(Date.parse(summary.generatedAt) + MINUTE_MS).toISOString();
      const dry = await owner.post("/v1/scope/storage/prune", { before }, pruneReport);
      equal("whether the first prune is a dry run", dry.dryRun, true);
      const { messages, tasks, escalations } = dry.records;
      holds("what would be pruned", messages + tasks + escalations > 0, { expected: "more than 0", got: dry.records });
      const done = await owner.post("/v1/scope/storage/prune", { before, execute: true }, pruneReport);
      equal("whether the second prune is a dry run", done.dryRun, false);
      equal("what was pruned", done.records, dry.records);
      const { resyncRequired } = await owner.get("/v1/events?after=0", eventPage);
      equal("whether the first cursor needs a new start", resyncRequired, true);
    },
  },
  {
    name: "scope-isolation",
    proves: "An agent of one scope cannot send to an agent of another.",
    async run(world) {
      // Sending to nobody would be refused as well: there has to be somebody to reach.
      const { id: to } = world.planner.get();
      const { scopeToken } = await world.createScope(`${world.scopeId}-other`);
      const owner = new Caller(world.run.http, scopeToken);
      const stranger = await world.register(owner, { id: "stranger", displayName: "Stranger" });
      await stranger.refused("POST", "/v1/messages", { to, body: "Let me in." }, "PERMISSION_DENIED");
    },
  },
];

export const farewellChecks: readonly Check<LocalWorld>[] = [
  {
    name: "clean-offline-lifecycle",
    proves: "Agents say goodbye with a last heartbeat, and nobody takes them for present afterwards.",
    async run({ planner, reviewer }) {
      for (const who of [planner.get(), reviewer.get()]) {
        const seen = await who.patch("/v1/me/heartbeat", { lifecycle: "offline", ready: false }, agent);
        matches("the agent after its goodbye", seen, { lifecycle: "offline", ready: false, reachable: false });
      }
    },
  },
];
