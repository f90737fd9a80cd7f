import { describe, expect, test } from "vitest";
import { applyLiveChange, type LiveState } from "../../../protocol/desktop/index.ts";
import { browserHost } from "../../../renderer/hosts/browser/host.ts";
import { BrowserSession, type SessionState } from "../../../renderer/hosts/browser/session.ts";
import { TestDaemon } from "../../support/daemon.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { until } from "../../support/waiting.ts";
import { TestBrowser, type TestTab } from "./tab.ts";

/** The host of a browser tab, on the real daemon: only the browser around it is made up. */

const intercom = useDaemon();

const link = async (daemon = intercom()) => (await daemon.admin.call("createSignInLink", {})).url;
const uiOf = (daemon: TestDaemon) => `${daemon.address}/ui/`;

async function begin(tab: TestTab): Promise<BrowserSession> {
  const session = new BrowserSession(tab);
  await session.begin();
  return session;
}

/** A tab that is signed in, in a browser of its own. */
async function signedIn(daemon = intercom(), browser = new TestBrowser()) {
  const tab = browser.open(await link(daemon));
  const session = await begin(tab);
  expect(session.state).toEqual({ kind: "signed-in" });
  return { browser, tab, session, host: browserHost(tab, session) };
}

describe("signing in", () => {
  test("by a link, whose code is gone from the address before it is used", async () => {
    const tab = new TestBrowser().open(await link());
    const states: SessionState["kind"][] = [];
    const session = new BrowserSession(tab);
    session.subscribe(() => states.push(session.state.kind));
    const begun = session.begin();
    expect(tab.fragment).toBe("");
    await begun;
    expect(states).toEqual(["checking", "signed-in"]);
  });

  test("is remembered by the browser: other tabs and later ones need no link", async () => {
    const { browser } = await signedIn();
    const session = await begin(browser.open(uiOf(intercom())));
    expect(session.state).toEqual({ kind: "signed-in" });
  });

  test("tabs of one browser go together: what one does, the others find when they look", async () => {
    const { browser, host } = await signedIn();
    const other = await begin(browser.open(uiOf(intercom())));
    await host.browser?.signOut();
    await other.begin();
    expect(other.state).toEqual({ kind: "signed-out", why: "ended" });
    const third = await begin(browser.open(await link()));
    await other.begin();
    expect([third.state, other.state]).toEqual([{ kind: "signed-in" }, { kind: "signed-in" }]);
  });

  test("a late refusal of the former session does not end the new one", async () => {
    const { browser, tab } = await signedIn();
    const refused = Promise.withResolvers<Response>();
    const session = new BrowserSession({
      ...tab,
      takeSignInCode: () => undefined,
      fetch: (url, init) => (url.endsWith("/ui/session") ? tab.fetch(url, init) : refused.promise),
    });
    await session.begin();
    const call = session.fetch(`${tab.origin}/v1/admin/overview`, {});
    await begin(browser.open(await link()));
    refused.resolve(new Response(null, { status: 401 }));
    await call;
    expect(session.state).toEqual({ kind: "signed-in" });
    expect(session.proof()).toBeDefined();
  });

  test("says what was wrong with a link", async () => {
    const used = await link();
    await begin(new TestBrowser().open(used));
    const expired = await link();
    await intercom().advance(60_000);
    const cases: [string, string][] = [
      [used, "used"],
      [expired, "expired"],
      [`${uiOf(intercom())}#sign-in=guess`, "unknown"],
      [uiOf(intercom()), "none"],
    ];
    for (const [address, why] of cases) {
      expect((await begin(new TestBrowser().open(address))).state, why).toEqual({ kind: "signed-out", why });
    }
  });

  test("a link that is no good does not end a session that is", async () => {
    const { browser } = await signedIn();
    const session = await begin(browser.open(`${uiOf(intercom())}#sign-in=guess`));
    expect(session.state).toEqual({ kind: "signed-in" });
  });

  test("says that it was too much", async () => {
    const daemon = await TestDaemon.start();
    try {
      const open = async () => (await begin(new TestBrowser().open(`${uiOf(daemon)}#sign-in=guess`))).state;
      for (let guess = 0; guess < 20; guess += 1) expect(await open()).toMatchObject({ why: "unknown" });
      expect(await open()).toEqual({ kind: "signed-out", why: "busy" });
    } finally {
      await daemon.close();
    }
  });

  test("says when there is no daemon, and goes on once there is", async () => {
    const daemon = await TestDaemon.start();
    const { tab, session } = await signedIn(daemon);
    const { port } = daemon;
    await daemon.daemon.stop();
    await session.begin();
    expect(session.state).toEqual({ kind: "signed-out", why: "unreachable" });
    const again = await TestDaemon.start({
      dataDir: daemon.daemon.directories.dataDir,
      runtimeDir: daemon.daemon.directories.runtimeDir,
      clock: daemon.clock,
      port,
    });
    try {
      expect(again.address).toBe(tab.origin);
      await session.begin();
      expect(session.state).toEqual({ kind: "signed-in" });
    } finally {
      await again.close();
      await daemon.close();
    }
  });

  test("two daemons do not take each other's cookies away", async () => {
    const other = await TestDaemon.start();
    try {
      const { browser, host } = await signedIn();
      const there = await signedIn(other, browser);
      expect(browser.cookieNames).toHaveLength(2);
      expect(await host.call("overview", {})).toMatchObject({ storage: { backend: "sqlite" } });
      expect(await there.host.call("overview", {})).toMatchObject({ totals: { scopes: 0 } });
    } finally {
      await other.close();
    }
  });
});

describe("the host", () => {
  test("performs operations of the daemon and of scopes, and answers with the errors of the daemon", async () => {
    const { host } = await signedIn();
    const { scopeId } = await host.call("createScope", { linkPolicy: "open" });
    await intercom().admin.call("getScope", {}, { scopeId });
    const task = await host.call("addTask", { title: "Look" }, scopeId);
    expect(await host.call("getTask", { taskId: task.id }, scopeId)).toMatchObject({ title: "Look" });
    await expect(host.call("getTask", { taskId: "none" }, scopeId)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(host.call("getTask", { taskId: task.id })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("follows what happens, in numbered frames, from the state it begins with", async () => {
    const { host } = await signedIn();
    const scope = await intercom().scope();
    const sequences: number[] = [];
    let live: LiveState | undefined;
    const beginning = await host.attach({
      frame: ({ sequence, changes }) => {
        sequences.push(sequence);
        live = changes.reduce(applyLiveChange, live ?? beginning.live);
      },
      destination: () => {},
    });
    expect(beginning.desktop).toBeUndefined();
    await until("the picture is whole", () => live?.link.state === "live");
    expect(live?.scopes[scope.id]).toBeDefined();
    const agent = await scope.agent("a");
    const { id } = await agent.call("askHuman", { question: "May I?" });
    await until("the question is there", () => live?.questions[id] !== undefined);
    await host.call("resolveEscalation", { escalationId: id, answer: "Yes" }, scope.id);
    await until("it is gone", () => live?.questions[id] === undefined);
    expect(sequences).toEqual(sequences.map((_, index) => index + 1));
    // Whoever has signed out hears nothing more.
    await host.browser?.signOut();
    const heard = sequences.length;
    await agent.call("askHuman", { question: "And now?" });
    await intercom().settle();
    expect(sequences).toHaveLength(heard);
  });

  test("lists sessions, and ends one elsewhere, which that tab notices with its next call", async () => {
    const [mine, other] = [await signedIn(), await signedIn()];
    const sessions = await mine.host.browser?.listSessions();
    const { id } = (await other.host.browser?.listSessions())?.find(({ current }) => current) ?? { id: "" };
    expect(sessions?.find((each) => each.id === id)).toMatchObject({ current: false });
    await mine.host.browser?.endSession(id);
    await expect(other.host.call("overview", {})).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    expect(other.session.state).toEqual({ kind: "signed-out", why: "ended" });
    expect(mine.session.state).toEqual({ kind: "signed-in" });
    // Loading the page again still says so.
    expect((await begin(other.tab)).state).toEqual({ kind: "signed-out", why: "ended" });
  });

  test("signs out for good, daemon or not", async () => {
    const { browser, tab, session, host } = await signedIn();
    await host.browser?.signOut();
    expect(session.state).toEqual({ kind: "signed-out", why: "left" });
    expect(browser.cookieNames).toEqual([]);
    expect(session.proof()).toBeUndefined();
    expect((await begin(tab)).state).toEqual({ kind: "signed-out", why: "left" });

    const daemon = await TestDaemon.start();
    const there = await signedIn(daemon);
    await daemon.close();
    await there.host.browser?.signOut();
    expect(there.session.state).toEqual({ kind: "signed-out", why: "left" });
    expect(there.session.proof()).toBeUndefined();
  });

  test("hands out a backup that is a database", async () => {
    const { host } = await signedIn();
    const backup = await host.browser?.backup();
    const bytes = new Uint8Array((await backup?.arrayBuffer()) ?? new ArrayBuffer());
    expect(Buffer.from(bytes.subarray(0, 15)).toString()).toBe("SQLite format 3");
  });
});
