import { z } from "zod";
import { different, equal, matches, read } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { Caller } from "../../http/caller.ts";
import { at } from "../../http/path.ts";
import { agentCard, principalChange, principalCredential, principals, publication } from "./owned-objects.ts";
import type { LocalWorld } from "./world.ts";

const PUBLICATIONS = "/v1/a2a/publications";
const PRINCIPALS = "/v1/a2a/principals";

function enabledOf(change: z.output<typeof principalChange>): unknown {
  return "principal" in change ? (change.principal as { enabled: boolean }).enabled : change.enabled;
}

/** Checks 6 and 7: agent cards and the credentials of those who call them. */
export const a2aChecks: readonly Check<LocalWorld>[] = [
  {
    name: "owner-controlled-agent-card-publication",
    proves: "Only the owner publishes an agent's card, and a card that is disabled cannot be found.",
    async run(world) {
      const owner = world.owner.get();
      const { nobody } = world;
      const { id: agentId } = world.reviewer.get();
      const published = await owner.post(PUBLICATIONS, { agentId }, publication, 201);
      const { id, cardUrl, interfaceUrl } = published;
      world.publicationId.set(id);
      equal("whether a new publication is enabled", published.enabled, true);
      matches("the list of publications", await owner.get(PUBLICATIONS, z.array(publication)), [{ id }]);

      const answer = await nobody.send("GET", cardUrl);
      equal("the status of the card", answer.status, 200);
      matches("the card", read("the card", answer.body, agentCard), {
        name: "Reviewer",
        supportedInterfaces: [{ url: interfaceUrl }],
      });

      const disabled = await owner.post(at`/v1/a2a/publications/${id}/disable`, {}, publication);
      matches("the disabled publication", disabled, { enabled: false, cardUrl });
      equal("the status of a disabled card", (await nobody.send("GET", cardUrl)).status, 404);
      const enabled = await owner.post(at`/v1/a2a/publications/${id}/enable`, {}, publication);
      equal("whether the publication is enabled again", enabled.enabled, true);
      await world.planner.get().refused("POST", PUBLICATIONS, { agentId: "planner" }, "PERMISSION_DENIED");
    },
  },
  {
    name: "scoped-a2a-principal-credentials",
    proves: "Credentials of A2A callers are good for their publication only, and can be replaced and switched off.",
    async run(world) {
      const owner = world.owner.get();
      const publicationId = world.publicationId.get();
      const created = await owner.post(PRINCIPALS, { publicationId, label: "Partner" }, principalCredential, 201);
      const { id } = created.principal;
      equal("whether a new principal is enabled", created.principal.enabled, true);
      matches("the list of principals", await owner.get(PRINCIPALS, principals), [{ id }]);
      const partner = new Caller(world.run.http, created.credential);
      await partner.refused("GET", "/v1/agents", undefined, "PERMISSION_DENIED");

      const disabled = await owner.post(at`/v1/a2a/principals/${id}/disable`, {}, principalChange);
      equal("whether the principal is disabled", enabledOf(disabled), false);
      const rotated = await owner.post(at`/v1/a2a/principals/${id}/rotate`, {}, principalCredential);
      different("the credential after a rotation", rotated.credential, created.credential);
      equal("whether a rotation leaves the principal disabled", rotated.principal.enabled, false);
      const enabled = await owner.post(at`/v1/a2a/principals/${id}/enable`, {}, principalChange);
      equal("whether the principal is enabled again", enabledOf(enabled), true);
    },
  },
];
