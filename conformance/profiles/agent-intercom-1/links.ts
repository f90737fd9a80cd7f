import { equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import type { Stage } from "./stage.ts";

/** How agents become peers beyond October Bus 0.1. */
export const linkChecks: readonly Check<Stage>[] = [
  {
    name: "link-requests",
    proves: "An agent asks for a link, the owner grants or declines it once, and the agent is told.",
    async run(stage) {
      const owner = await stage.scope();
      const [ada, ben, cleo] = [await owner.agent("ada"), await owner.agent("ben"), await owner.agent("cleo")];
      const request = await ada.call("requestLink", { to: ben.id, reason: "To work together" });
      matches("the request", request, { from: ada.id, to: ben.id, reason: "To work together", status: "pending" });
      matches("the event", await owner.eventOf("link.requested"), { subjectId: request.id });
      await ada.refused("sendMessage", { to: ben.id, body: "Hello." }, "PERMISSION_DENIED");
      const decision = { linkRequestId: request.id, accept: true };
      await ada.refused("resolveLinkRequest", decision, "PERMISSION_DENIED");
      matches("the granted request", await owner.call("resolveLinkRequest", decision), { status: "accepted" });
      const again = await owner.refused("resolveLinkRequest", { ...decision, accept: false }, "CONFLICT");
      matches("the details of a second decision", again.details, { status: "accepted" });
      await ada.tell(ben);

      const declined = await cleo.call("requestLink", { to: ben.id });
      await owner.call("resolveLinkRequest", { linkRequestId: declined.id, accept: false });
      await cleo.refused("sendMessage", { to: ben.id, body: "Hello." }, "PERMISSION_DENIED");
      const about = { about: { kind: "linkRequest", id: declined.id }, fromKind: "system", mode: "notify" };
      matches("what cleo is told", await cleo.pull(), [about]);
      await ada.refused("requestLink", { to: "nobody" }, "NOT_FOUND");
      await ada.refused("requestLink", { to: ada.id }, "INVALID_ARGUMENT");
    },
  },
  {
    name: "unlink",
    proves: "A link can be taken back: no new messages, while accepted ones and answers still arrive.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const requestId = await ada.tell(ben, { mode: "request" });
      const pair = { left: ben.id, right: ada.id };
      const before = await owner.revision();
      equal("the first removal", await owner.call("unlinkAgents", pair), { unlinked: true });
      await owner.eventOf("link.removed", before);
      await ada.refused("sendMessage", { to: ben.id, body: "Hello." }, "PERMISSION_DENIED");
      equal("the peers of ada", await ada.call("listPeers", {}), []);
      equal(
        "what ben receives",
        (await ben.pull()).map(({ id }) => id),
        [requestId],
      );
      const response = await ben.tell(ada, { mode: "response", responseTo: requestId });
      equal(
        "what ada receives",
        (await ada.pull()).map(({ id }) => id),
        [response],
      );
      await ada.refused("unlinkAgents", pair, "PERMISSION_DENIED");
    },
  },
];
