import { z } from "zod";
import { equal, holds, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { removeAtEnd } from "../../core/scopes.ts";
import { Caller } from "../../http/caller.ts";
import { isRecord, resultOf } from "../../http/envelope.ts";
import { at } from "../../http/path.ts";
import { agents, health } from "./objects.ts";
import { imported } from "./owned-objects.ts";
import type { LocalWorld } from "./world.ts";

const ARCHIVE_LISTS = [
  "agents",
  "links",
  "messages",
  "tasks",
  "taskProgress",
  "escalations",
  "agentCardPublications",
  "a2aTasks",
  "a2aMessages",
  "outputStreams",
  "outputValues",
] as const;

function emptyArchive(id: string): Record<string, unknown> {
  const instant = "2026-01-01T00:00:00.000Z";
  const lists = Object.fromEntries(ARCHIVE_LISTS.map((name) => [name, []]));
  return { format: "october-bus.scope", version: 2, exportedAt: instant, scope: { id, createdAt: instant }, ...lists };
}

/** Checks 1 to 5: identity, scopes, archives, registration, and who may do what. */
export const authorityChecks: readonly Check<LocalWorld>[] = [
  {
    name: "health-and-version",
    proves: "The target says that it is ready and speaks October Bus 0.1.",
    async run({ nobody }) {
      const answer = await nobody.send("GET", "/health");
      equal("the status of /health", answer.status, 200);
      const { protocolVersion, status } = read("/health", answer.body, health);
      equal("the identity in /health", { protocolVersion, status }, { protocolVersion: "0.1", status: "ready" });
    },
  },
  {
    name: "scope-authority",
    proves: "Whoever has the admin token makes scopes under ids of their choice; nobody else makes any.",
    async run(world) {
      const { scopeId, scopeToken } = await world.createScope(world.scopeId);
      equal("the id of the new scope", scopeId, world.scopeId);
      world.owner.set(new Caller(world.run.http, scopeToken));
      await world.nobody.refused("POST", "/v1/scopes", { id: `${world.scopeId}-refused` }, "UNAUTHENTICATED");
    },
  },
  {
    name: "portable-scope-archive",
    proves: "A scope archive of version 2 can be imported, imported again without effect, and exported.",
    async run({ admin, run, scopeId }) {
      const id = `${scopeId}-archive`;
      removeAtEnd(run, id);
      const path = "/v1/admin/scopes/import";
      const first = await admin.post(path, emptyArchive(id), imported, 201);
      matches("the first import", first, { scopeId: id, imported: true });
      holds("the token of an imported scope", Boolean(first.scopeToken), { expected: "a scope token", got: "none" });
      const again = await admin.post(path, emptyArchive(id), imported, 200);
      matches("the repeated import", again, { scopeId: id, imported: false });
      equal("the token of a repeated import", again.scopeToken, undefined);
      const shape = z.looseObject({
        format: z.string(),
        version: z.number(),
        scope: z.looseObject({ id: z.string() }),
      });
      const answer = await admin.send("GET", at`/v1/admin/scopes/${id}/export`);
      const archive = read(
        "the export",
        isRecord(answer.body) && "ok" in answer.body ? resultOf(answer, 200) : answer.body,
        shape,
      );
      matches("the export", archive, { format: "october-bus.scope", version: 2, scope: { id } });
    },
  },
  {
    name: "registration-and-peer-link",
    proves: "The owner registers agents with capabilities and a lease, and links them while doing so.",
    async run(world) {
      const owner = world.owner.get();
      const planner = { id: "planner", displayName: "Planner", capabilities: [{ name: "planning" }] };
      const reviewer = {
        id: "reviewer",
        displayName: "Reviewer",
        capabilities: [{ name: "review" }],
        connectTo: ["planner"],
      };
      equal("the id of the first agent", world.planner.set(await world.register(owner, planner)).id, "planner");
      equal("the id of the second agent", world.reviewer.set(await world.register(owner, reviewer)).id, "reviewer");
    },
  },
  {
    name: "scope-route-authority-errors",
    proves: "An agent token on an owner's route is PERMISSION_DENIED, no token is UNAUTHENTICATED.",
    async run({ planner, nobody, owner }) {
      await planner.get().refused("GET", "/v1/agents", undefined, "PERMISSION_DENIED");
      await nobody.refused("GET", "/v1/agents", undefined, "UNAUTHENTICATED");
      const ids = (await owner.get().get("/v1/agents", agents)).map(({ id }) => id);
      equal("the agents the owner sees", ids, ["planner", "reviewer"]);
    },
  },
];
