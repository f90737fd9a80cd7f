import { describe, expect, test } from "vitest";
import type { AgentActor } from "../../support/actors.ts";
import { useDaemon } from "../../support/use-daemon.ts";

const intercom = useDaemon();

const peersOf = async (agent: AgentActor) => (await agent.call("listPeers", {})).map(({ id }) => id);

describe("links", () => {
  test("are symmetric and made once", async () => {
    const scope = await intercom().scope();
    const [b, a] = [await scope.agent("b"), await scope.agent("a")];
    expect(await peersOf(a)).toEqual([]);
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("linkAgents", { left: "b", right: "a" })).toEqual({ linked: true });
      expect(await scope.call("linkAgents", { left: "b", right: "a" })).toEqual({ linked: true });
      expect(await scope.call("linkAgents", { left: "a", right: "b" })).toEqual({ linked: true });
    });
    expect(events).toEqual([["link.created", "a:b", { leftAgent: "a", rightAgent: "b", actor: "scope" }]]);
    expect([await peersOf(a), await peersOf(b)]).toEqual([["b"], ["a"]]);
    await a.tell(b);
    await b.tell(a);
  });

  test("can be taken back; what was accepted is still delivered", async () => {
    const scope = await intercom().scope();
    const [a, b] = await scope.agents("a", "b");
    await a.tell(b, { body: "before" });
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("unlinkAgents", { left: "b", right: "a" })).toEqual({ unlinked: true });
      expect(await scope.call("unlinkAgents", { left: "b", right: "a" })).toEqual({ unlinked: false });
    });
    expect(events).toEqual([["link.removed", "a:b", { leftAgent: "a", rightAgent: "b", actor: "scope" }]]);
    expect(await peersOf(a)).toEqual([]);
    expect(await a.refused("sendMessage", { to: "b", body: "after" })).toMatchObject({ code: "PERMISSION_DENIED" });
    expect((await b.pull()).map(({ body }) => body)).toEqual(["before"]);
    await scope.call("linkAgents", { left: "a", right: "b" });
    await a.tell(b);
  });

  test("need two agents that exist", async () => {
    const scope = await intercom().scope();
    await scope.agent("a");
    for (const [left, right] of [
      ["a", "nobody"],
      ["nobody", "a"],
    ]) {
      expect(await scope.refused("linkAgents", { left, right })).toMatchObject({ code: "NOT_FOUND" });
      expect(await scope.refused("unlinkAgents", { left, right })).toMatchObject({ code: "NOT_FOUND" });
    }
  });

  test("are listed in pages", async () => {
    const scope = await intercom().scope();
    await scope.agents("hub", "a", "b", "c");
    await scope.call("unlinkAgents", { left: "hub", right: "b" });
    const first = await scope.call("listLinks", { limit: 1 });
    const second = await scope.call("listLinks", { limit: 1, after: first.nextCursor ?? "" });
    const pair = ({ left, right }: { left: string; right: string }) => [left, right].sort().join(":");
    expect([...first.links, ...second.links].map(pair)).toEqual(["a:hub", "c:hub"]);
    expect(second).not.toHaveProperty("nextCursor");
    expect(first.links[0]?.createdAt).toBe(intercom().clock.instant());
  });

  test("made while registering are there at once, and asking for them twice is one link", async () => {
    const scope = await intercom().scope();
    await scope.agent("a");
    const events = await scope.eventsOf(() => scope.agent("b", { connectTo: ["a", "a"] }));
    expect(events.map(([type, subject]) => `${type} ${subject}`)).toEqual(["agent.registered b", "link.created a:b"]);
  });
});

describe("an open scope", () => {
  test("makes everybody a peer of everybody", async () => {
    const scope = await intercom().scope({ linkPolicy: "open" });
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    await scope.agent("c");
    expect(await peersOf(a)).toEqual(["b", "c"]);
    await a.tell(b);
    expect(await a.refused("sendMessage", { to: "nobody", body: "b" })).toMatchObject({ code: "NOT_FOUND" });
    expect(await a.refused("requestLink", { to: "b" })).toMatchObject({ code: "CONFLICT" });
    // Without links of its own.
    expect((await scope.call("listLinks", {})).links).toEqual([]);
  });

  test("can be closed again, and then only links count", async () => {
    const scope = await intercom().scope();
    const [a] = [await scope.agent("a"), await scope.agent("b")];
    const events = await scope.eventsOf(async () => {
      expect(await scope.call("updateScope", { linkPolicy: "open" })).toMatchObject({ linkPolicy: "open" });
      await scope.call("updateScope", { linkPolicy: "open" });
      await a.tell("b");
      await scope.call("updateScope", { linkPolicy: "explicit" });
    });
    expect(events.filter(([type]) => type === "scope.policy_changed")).toEqual([
      ["scope.policy_changed", scope.id, { linkPolicy: "open", actor: "scope" }],
      ["scope.policy_changed", scope.id, { linkPolicy: "explicit", actor: "scope" }],
    ]);
    expect(await a.refused("sendMessage", { to: "b", body: "b" })).toMatchObject({ code: "PERMISSION_DENIED" });
    expect(await peersOf(a)).toEqual([]);
  });
});

describe("link requests", () => {
  test("accepted ones make a link and tell the one who asked", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    let id = "";
    const asked = await scope.eventsOf(async () => {
      const request = await a.call("requestLink", { to: "b", reason: "we share a task" });
      ({ id } = request);
      expect(request).toEqual({
        id: expect.stringMatching(/^lreq_/),
        scopeId: scope.id,
        from: "a",
        to: "b",
        reason: "we share a task",
        status: "pending",
        createdAt: intercom().clock.instant(),
      });
      // Asking again is the same request.
      expect(await a.call("requestLink", { to: "b", reason: "please" })).toEqual(request);
    });
    expect(asked).toEqual([["link.requested", id, { from: "a", to: "b", status: "pending" }]]);
    expect(await a.refused("sendMessage", { to: "b", body: "b" })).toMatchObject({ code: "PERMISSION_DENIED" });

    const resolved = await scope.eventsOf(async () => {
      expect(await scope.call("resolveLinkRequest", { linkRequestId: id, accept: true })).toMatchObject({
        status: "accepted",
        resolvedAt: intercom().clock.instant(),
      });
    });
    expect(resolved.map(([type]) => type)).toEqual(["link.request_resolved", "link.created", "message.accepted"]);
    expect(resolved[0]).toEqual([
      "link.request_resolved",
      id,
      { from: "a", to: "b", status: "accepted", actor: "scope" },
    ]);
    await b.tell(a);
    const notice = (await a.pull())[0];
    expect(notice).toMatchObject({
      from: "intercom",
      fromKind: "system",
      mode: "notify",
      about: { kind: "linkRequest", id },
    });
    expect(await a.refused("requestLink", { to: "b" })).toMatchObject({ code: "CONFLICT" });
  });

  test("declined ones tell, too, and may be asked again", async () => {
    const scope = await intercom().scope();
    const [a] = [await scope.agent("a"), await scope.agent("b")];
    const { id } = await a.call("requestLink", { to: "b" });
    const decline = { linkRequestId: id, accept: false };
    expect(await scope.call("resolveLinkRequest", decline)).toMatchObject({ status: "declined" });
    for (const accept of [true, false]) {
      expect(await scope.refused("resolveLinkRequest", { linkRequestId: id, accept })).toMatchObject({
        code: "CONFLICT",
        details: { status: "declined" },
      });
    }
    expect((await a.pull()).map(({ about }) => about)).toEqual([{ kind: "linkRequest", id }]);
    expect(await peersOf(a)).toEqual([]);
    expect((await a.call("requestLink", { to: "b" })).id).not.toBe(id);
  });

  test("say nothing to an agent that takes no notices", async () => {
    const scope = await intercom().scope();
    const [a] = [await scope.agent("a", { notices: false }), await scope.agent("b")];
    const { id } = await a.call("requestLink", { to: "b" });
    await scope.call("resolveLinkRequest", { linkRequestId: id, accept: true });
    expect(await a.pull()).toEqual([]);
    expect(await peersOf(a)).toEqual(["b"]);
  });

  test("need somebody to be linked with", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    expect(await a.refused("requestLink", { to: "nobody" })).toMatchObject({ code: "NOT_FOUND" });
    const input = { linkRequestId: "lreq_none", accept: true };
    expect(await scope.refused("resolveLinkRequest", input)).toMatchObject({ code: "NOT_FOUND" });
  });

  test("from both sides are two", async () => {
    const scope = await intercom().scope();
    const [a, b] = [await scope.agent("a"), await scope.agent("b")];
    const ids = [(await a.call("requestLink", { to: "b" })).id, (await b.call("requestLink", { to: "a" })).id];
    await scope.call("resolveLinkRequest", { linkRequestId: ids[0] as string, accept: true });
    const events = await scope.eventsOf(() =>
      scope.call("resolveLinkRequest", { linkRequestId: ids[1] as string, accept: true }),
    );
    // The link is there already.
    expect(events.map(([type]) => type)).toEqual(["link.request_resolved", "message.accepted"]);
  });

  test("are listed by state and in pages", async () => {
    const scope = await intercom().scope();
    const a = await scope.agent("a");
    const ids: string[] = [];
    for (const to of ["b", "c", "d"]) {
      await scope.agent(to);
      ids.push((await a.call("requestLink", { to })).id);
    }
    await scope.call("resolveLinkRequest", { linkRequestId: ids[1] as string, accept: false });
    const list = async (input: object) => {
      const { linkRequests, nextCursor } = await scope.call("listLinkRequests", input);
      return { ids: linkRequests.map(({ id }) => id), nextCursor };
    };
    expect(await list({})).toEqual({ ids, nextCursor: undefined });
    expect((await list({ status: "declined" })).ids).toEqual([ids[1]]);
    expect((await list({ status: "accepted" })).ids).toEqual([]);
    const first = await list({ status: "pending", limit: 1 });
    expect(first.ids).toEqual([ids[0]]);
    expect((await list({ status: "pending", after: first.nextCursor })).ids).toEqual([ids[2]]);
  });
});
