import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Caller } from "../../http/caller.ts";
import { at } from "../../http/path.ts";
import { outputHistory, outputStream, outputValue, principalCredential } from "./owned-objects.ts";
import type { LocalWorld } from "./world.ts";

/** Check 8: streams of values that anybody with a credential can follow. */
export const outputChecks: readonly Check<LocalWorld>[] = [
  {
    name: "addressable-output-streams",
    proves: "Granted agents publish values, readers follow them, and a reader that fell behind is told to start over.",
    async run(world) {
      const owner = world.owner.get();
      const reviewer = world.reviewer.get();
      const stream = { name: "build-status", retentionLimit: 2, publisherAgentIds: [reviewer.id] };
      const { id } = await owner.post("/v1/output-streams", stream, outputStream, 201);
      world.streamId.set(id);
      const principal = { streamId: id, label: "Dashboard", permissions: ["read"] };
      const created = await owner.post("/v1/output-principals", principal, principalCredential, 201);
      const reader = new Caller(world.run.http, created.credential);

      const values = at`/outputs/${id}/values`;
      for (const value of ["queued", "building", "ready"]) {
        await reviewer.post(values, { contentType: "text/plain", value }, outputValue, 201);
      }
      const latest = await reader.get(at`/outputs/${id}/latest`, outputValue);
      matches("the latest value", latest, { sequence: 3, value: "ready" });
      const recent = await reader.get(`${values}?after=1&limit=10`, outputHistory);
      equal("whether a recent cursor is good", recent.resyncRequired, false);
      equal(
        "the values after it",
        recent.values.map(({ value }) => value),
        ["building", "ready"],
      );
      const old = await reader.get(`${values}?after=0`, outputHistory);
      matches("the history after an old cursor", old, { resyncRequired: true, minimumCursor: 1 });

      const another = { contentType: "text/plain", value: "refused" };
      await reader.refused("POST", values, another, "UNAUTHENTICATED");
      await world.planner.get().refused("POST", values, another, "PERMISSION_DENIED");
    },
  },
];
