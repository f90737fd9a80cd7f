import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ScopeClient } from "../../client/index.ts";
import type { Escalation, Message, Receipt, Task } from "../../protocol/index.ts";
import { CliHome, output } from "../support/cli.ts";
import { until } from "../support/waiting.ts";

const home = new CliHome();
let scopes = 0;
beforeAll(async () => {
  const started = await home.run(["start"]);
  if (started.code !== 0) throw new Error(started.stderr);
});
afterAll(() => home.close());

/** A scope of its own, with the command acting in it as its owner. */
async function freshScope() {
  scopes += 1;
  const id = `s${scopes}`;
  await home.admin().createScope({ id, linkPolicy: "open" });
  const owner: ScopeClient = home.admin().scope(id);
  const run = (...args: string[]) => home.call([...args, "--scope", id]);
  return { id, owner, run };
}

const join2 = (owner: ScopeClient, ...ids: string[]) =>
  Promise.all(ids.map((id) => owner.registerAgent({ id, displayName: id.toUpperCase() })));

describe("help, version and wrong use", () => {
  it("shows help by itself, on a command and on topics", async () => {
    const all = await home.run([]);
    expect(all.code).toBe(0);
    expect(all.stdout).toMatch(/Begin with: agent-intercom start/);
    const one = await home.run(["help", "task", "claim"]);
    expect(one.code).toBe(0);
    expect(one.stdout).toMatch(/Usage: agent-intercom task claim[\s\S]*Examples:\n {2}\$ agent-intercom task claim/);
    const codes = await home.run(["help", "exit-codes", "--json"]);
    expect(codes.json()).toMatchObject({ 0: "Done.", 3: expect.stringContaining("daemon") });
    expect((await home.run(["help", "nonsense"])).code).toBe(2);
  });

  it("shows the version", async () => {
    const { version } = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));
    expect((await home.run(["version"])).stdout).toContain(`agent-intercom ${version} `);
    expect((await home.run(["version", "--json"])).json()).toMatchObject({ version, protocolVersion: "1.0" });
  });

  it.each([
    { args: ["frobnicate"], says: /Unknown command 'frobnicate'.*\nSee: agent-intercom --help/ },
    { args: ["task"], says: /Usage: agent-intercom task/ },
    { args: ["task", "add"], says: /Missing required argument 'title'.*\nSee: agent-intercom task add --help/ },
    { args: ["task", "list", "--limit", "many"], says: /whole number from 1 to 500/ },
    { args: ["message", "send", "a", "b", "--expires", "soon"], says: /Expected a duration/ },
    { args: ["scope", "delete", "default"], says: /cannot be undone.*\n.*--confirm default/ },
    { args: ["agent", "run", "--id", "x", "--lease", "1s", "--", "true"], says: /--lease: expected 30 s to 1 day/ },
  ])("exits with 2: $args", async ({ args, says }) => {
    const outcome = await home.call(args);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toMatch(says);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });

  it("tells errors as JSON on standard error when asked for JSON", async () => {
    const outcome = await home.run(["task", "show", "task_none", "--scope", "default", "--json"]);
    expect(outcome).toMatchObject({ code: 4, stdout: "" });
    expect(JSON.parse(outcome.stderr)).toMatchObject({ error: { code: "NOT_FOUND", exitCode: 4 } });
  });
});

describe("finding daemon, credential and scope", () => {
  it("needs no scope named while there is one, and lists them when there are several", async () => {
    const alone = new CliHome();
    try {
      await alone.run(["start"]);
      expect((await alone.call(["task", "list"])).stdout).toBe("There are no such tasks.\n");
      const made = await alone.call(["scope", "create", "second", "--json"]);
      expect(made.json()).toMatchObject({ scopeId: "second", linkPolicy: "open", scopeToken: expect.any(String) });
      const unclear = await alone.call(["task", "list"]);
      expect(unclear.code).toBe(2);
      expect(unclear.stderr).toMatch(/Scopes: default, second/);
      expect((await alone.call(["task", "list"], { env: { AGENT_INTERCOM_SCOPE: "second" } })).code).toBe(0);
      const { scopeToken } = made.json<{ scopeToken: string }>();
      const byToken = await alone.call(["task", "add", "By token", "--json"], {
        env: { AGENT_INTERCOM_SCOPE_TOKEN: scopeToken },
      });
      expect(byToken.json<Task>().scopeId).toBe("second");
      const other = await alone.call(["task", "list", "--scope", "default"], {
        env: { AGENT_INTERCOM_SCOPE_TOKEN: scopeToken },
      });
      expect(other.code).toBe(6);
      expect((await alone.call(["scope", "delete", "second", "--confirm", "second"])).code).toBe(0);
      expect((await alone.call(["scope", "delete", "default", "--confirm", "default"])).code).toBe(0);
      const none = await alone.call(["task", "list"]);
      expect(none.code).toBe(4);
      expect(none.stderr).toMatch(/There is no scope yet/);
    } finally {
      await alone.close();
    }
  });

  it("says how to start a daemon when there is none", async () => {
    const outcome = await home.run(["agent", "list", "--runtime-dir", join(home.home, "nowhere")]);
    expect(outcome).toMatchObject({
      code: 3,
      stderr: "Error: The daemon is not running.\nStart it with: agent-intercom start\n",
    });
    expect((await home.run(["status", "--address", "http://127.0.0.1:1"])).code).toBe(3);
  });

  it("gives the admin credential to no other address than the run file's", async () => {
    const seen: string[] = [];
    const { createServer } = await import("node:http");
    const server = createServer((request, response) => {
      seen.push(String(request.headers.authorization));
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as import("node:net").AddressInfo;
    const outcome = await home.run(["scope", "list", "--address", `http://127.0.0.1:${port}`]);
    server.close();
    expect(outcome.code).toBe(6);
    expect(outcome.stderr).toMatch(/no admin credential for this daemon/);
    expect(seen).toEqual([]);
  });

  it("refuses owner commands in the shell of an agent", async () => {
    const { owner } = await freshScope();
    const env = await home.agentShell(owner, "worker");
    for (const args of [
      ["escalations"],
      ["scope", "list"],
      ["agent", "remove", "worker"],
      ["agent", "run", "--id", "y", "--", "true"],
    ]) {
      const outcome = await home.call(args, { env });
      expect(outcome.code).toBe(6);
      expect(outcome.stderr).toMatch(/this shell belongs to an agent/);
    }
  });
});

describe("scopes, agents and links", () => {
  it("makes, lists, changes and deletes scopes", async () => {
    const made = await home.call(["scope", "create", "temporary", "--link-policy", "explicit"]);
    expect(made.stdout).toMatch(
      /^Created the scope temporary \(links: explicit\)\.\nIts token, shown only now: [\w-]{43}\n$/,
    );
    expect((await home.call(["scope", "create", "temporary"])).code).toBe(5);
    expect((await home.call(["scope", "list"])).stdout).toMatch(/temporary +explicit +/);
    expect((await home.call(["scope", "set", "temporary", "--link-policy", "open"])).stdout).toMatch(
      /has open links now/,
    );
    expect((await home.call(["scope", "rotate-token", "temporary", "--json"])).json()).toMatchObject({
      scopeId: "temporary",
    });
    expect((await home.call(["scope", "delete", "temporary", "--confirm", "temporary"])).stdout).toBe(
      "Deleted the scope temporary.\n",
    );
    expect((await home.call(["scope", "delete", "temporary", "--confirm", "temporary"])).stdout).toBe(
      "There was no scope temporary.\n",
    );
  });

  it("lists, shows and removes agents, and shows hostile names harmlessly", async () => {
    const { owner, run } = await freshScope();
    expect((await run("agent", "list")).stdout).toMatch(/No agents yet/);
    await owner.registerAgent({ id: "evil", displayName: "\u001b[2JAdmin\u202e", summary: "line\nbreak" });
    const list = await run("agent", "list");
    expect(list.stdout).toContain("\\e[2JAdmin\\u{202e}");
    expect(list.stdout).not.toContain("\u001b");
    expect(list.stdout.trimEnd().split("\n")).toHaveLength(2);
    expect((await run("agent", "show", "evil")).stdout).toMatch(/About +line\\nbreak/);
    expect((await run("agent", "list", "--json")).json<{ agents: unknown[] }>().agents).toHaveLength(1);
    expect((await run("agent", "remove", "evil")).stdout).toBe("evil is off the list.\n");
    expect((await run("agent", "show", "evil")).code).toBe(4);
  });

  it("links agents, and decides on the links they ask for", async () => {
    const { id, owner, run } = await freshScope();
    await owner.updateScope({ linkPolicy: "explicit" });
    const [a] = await join2(owner, "a", "b", "c");
    expect((await run("link", "a", "b")).stdout).toBe("a and b are peers.\n");
    expect((await run("link", "list")).stdout).toMatch(/a +b /);
    expect((await run("link", "remove", "a", "b")).stdout).toBe("The link is gone.\n");
    const agent = owner.agent(a?.agentToken as string);
    const first = await agent.requestLink({ to: "b", reason: "pair work" });
    const second = await agent.requestLink({ to: "c" });
    expect((await run("link", "requests")).stdout).toMatch(/pair work/);
    expect((await run("link", "accept", first.id)).stdout).toBe("a and b are peers.\n");
    expect((await run("link", "decline", second.id)).stdout).toMatch(/Declined/);
    expect((await run("link", "accept", second.id)).code).toBe(5);
    expect((await run("link", "requests")).stdout).toBe("No agent asks for a link.\n");
    await owner.updateScope({ linkPolicy: "open" });
    expect((await run("link", "list")).stdout).toContain(`The scope ${id} has open links`);
  });
});

describe("agent run", () => {
  it("gives a program the agent's token, takes the owner's away, and retires the agent when it ends", async () => {
    const { id, owner } = await freshScope();
    const { adminToken, address } = home.runFile();
    const script =
      "process.stdout.write(JSON.stringify({ env: process.env, argv: process.argv })); process.exitCode = 7";
    const env = {
      AGENT_INTERCOM_ADMIN_TOKEN: adminToken,
      HIDDEN: `x${adminToken}`,
      OCTOBER_BUS_SCOPE_TOKEN: "scope",
      KEPT: "yes",
    };
    const args = [
      "agent",
      "run",
      "--scope",
      id,
      "--id",
      "worker",
      "--name",
      "Worker",
      "--capability",
      "review,test",
      "--",
    ];
    const outcome = await home.run([...args, process.execPath, "-e", script, "--", "--json"], { env });
    expect(outcome).toMatchObject({ code: 7, stderr: "" });
    const child = outcome.json<{ env: NodeJS.ProcessEnv; argv: string[] }>();
    expect(child.argv.at(-1)).toBe("--json");
    expect(child.env).toMatchObject({
      AGENT_INTERCOM_ADDRESS: address,
      AGENT_INTERCOM_SCOPE: id,
      AGENT_INTERCOM_AGENT_ID: "worker",
      OCTOBER_BUS_AGENT_ID: "worker",
      KEPT: "yes",
    });
    expect(child.env.AGENT_INTERCOM_AGENT_TOKEN).toMatch(/^[\w-]{43}$/);
    expect(child.env.OCTOBER_BUS_AGENT_TOKEN).toBe(child.env.AGENT_INTERCOM_AGENT_TOKEN);
    expect(JSON.stringify(child)).not.toContain(adminToken);
    for (const name of ["AGENT_INTERCOM_ADMIN_TOKEN", "HIDDEN", "OCTOBER_BUS_SCOPE_TOKEN"])
      expect(child.env).not.toHaveProperty(name);
    const agent = await owner.getAgent({ agentId: "worker" });
    expect(agent).toMatchObject({ displayName: "Worker", reachable: false, lifecycle: "offline" });
    expect(agent.capabilities.map(({ name }) => name)).toEqual(["review", "test"]);
  });

  it.skipIf(process.platform === "win32")(
    "forwards signals, refuses a second live one, and takes over with --replace",
    async () => {
      const { id, owner } = await freshScope();
      const sleeper = [
        "--",
        process.execPath,
        "-e",
        "process.on('SIGTERM', () => process.exit(42)); setInterval(() => {}, 1e6); console.log('up')",
      ];
      const child = home.spawn(["agent", "run", "--scope", id, "--id", "worker", ...sleeper]);
      const said = output(child);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      await until("the program runs", () => said.text.includes("up"), 15_000);
      expect(await owner.getAgent({ agentId: "worker" })).toMatchObject({
        reachable: true,
        ready: false,
        lifecycle: "working",
      });
      const second = await home.run(["agent", "run", "--scope", id, "--id", "worker", "--", "true"]);
      expect(second.code).toBe(5);
      expect(second.stderr).toMatch(/already running.*\n.*--replace/);
      const taken = await home.run([
        "agent",
        "run",
        "--scope",
        id,
        "--id",
        "worker",
        "--replace",
        "--",
        "sh",
        "-c",
        "kill -KILL $$",
      ]);
      expect(taken.code).toBe(137);
      child.kill("SIGTERM");
      expect(await exit).toBe(42);
    },
  );

  it("says what is wrong with a program that is not there", async () => {
    const { id, owner } = await freshScope();
    const outcome = await home.run(["agent", "run", "--scope", id, "--id", "worker", "--", "no-such-program"]);
    expect(outcome.code).toBe(127);
    expect(outcome.stderr).toMatch(/The program no-such-program was not found/);
    expect(await owner.getAgent({ agentId: "worker" })).toMatchObject({ reachable: false });
  });
});

describe("messages and inboxes", () => {
  it("carries messages from the human to an agent and back", async () => {
    const { owner, run } = await freshScope();
    const shell = await home.agentShell(owner, "worker");
    const asAgent = (...args: string[]) => home.call(args, { env: shell });
    const sent = await run(
      "message",
      "send",
      "worker",
      "Please start.",
      "--mode",
      "request",
      "--attach",
      "file:src/a.ts",
    );
    expect(sent.stdout).toMatch(
      /^msg_\w+ is queued\. worker is reachable but does not read its inbox at the moment\.\n$/,
    );
    const piped = await home.run(["message", "send", "worker", "-", "--scope", "s0", "--json"], { input: "text\n" });
    expect(piped.code).toBe(4);

    const inbox = await asAgent("inbox", "--json");
    const [request] = inbox.json<{ messages: Message[] }>().messages;
    expect(request).toMatchObject({ body: "Please start.", fromKind: "human", mode: "request", state: "delivered" });
    expect(request?.context[0]).toMatchObject({ kind: "file", title: "src/a.ts" });
    expect((await asAgent("inbox", "read", request?.id as string)).stdout).toBe("Marked 1 message as read.\n");
    expect((await asAgent("inbox")).stdout).toBe("No new messages.\n");

    const reply = await asAgent(
      "message",
      "send",
      "human",
      "Started \u001b[31m.",
      "--reply-to",
      request?.id as string,
      "--json",
    );
    expect(reply.code).toBe(0);
    expect((await run("message", "receipt", request?.id as string)).stdout).toMatch(
      /State +acknowledged[\s\S]*Answered/,
    );
    const mine = await run("inbox");
    expect(mine.stdout).toMatch(/worker -> you {2}response, unread .*\n.*answers msg_\w+\n {4}Started \\e\[31m\.\n/);
    expect((await run("inbox")).stdout).toMatch(/response, unread/);
    await run("inbox", "--mark-read");
    expect((await run("inbox")).stdout).toBe("No new messages.\n");
    expect((await run("inbox", "--all")).stdout).toMatch(/response, read/);
    expect(
      (await run("message", "list", "--agent", "worker", "--json")).json<{ messages: unknown[] }>().messages,
    ).toHaveLength(2);
    expect((await run("message", "list", "--human")).stdout).toMatch(/you -> worker {2}request, acknowledged/);
    const receipt = await asAgent("message", "receipt", reply.json<Receipt>().messageId);
    expect(receipt.stdout).toMatch(/State +acknowledged/);
  });

  it("says when nobody is there to read, and gives dead letters another chance", async () => {
    const { owner, run } = await freshScope();
    const [worker] = await join2(owner, "worker");
    const agent = owner.agent(worker?.agentToken as string);
    await owner.sendHumanMessage({ to: "worker", body: "poison" });
    const reservation = await agent.reserveInbox();
    const [message] = await agent.commitInbox({ reservationId: reservation?.id as string });
    await agent.deadLetterMessage({ messageId: message?.id as string, reason: "cannot parse" });
    await agent.retire();
    expect((await run("message", "send", "worker", "hello")).stdout).toMatch(
      /worker has no live session \(seen .*\); the message waits for it/,
    );
    expect((await run("message", "list", "--state", "dead_lettered")).stdout).toMatch(/dead lettered[\s\S]*poison/);
    expect((await run("message", "show", message?.id as string)).stdout).toMatch(/poison/);
    expect((await run("message", "requeue", message?.id as string)).stdout).toMatch(/waits for worker again/);
    expect((await run("message", "send", "nobody", "x")).code).toBe(4);
    expect((await run("message", "send", "human", "x")).code).toBe(2);
    expect((await run("message", "send", "worker", "")).code).toBe(2);
  });

  it("watches the inbox as JSON lines", async () => {
    const { id, owner } = await freshScope();
    const [worker] = await join2(owner, "worker");
    const agent = owner.agent(worker?.agentToken as string);
    await agent.sendMessage({ to: "human", toKind: "human", body: "first" });
    const child = home.spawn(["inbox", "--watch", "--mark-read", "--json", "--scope", id]);
    const said = output(child);
    const exit = new Promise((resolve) => child.once("exit", resolve));
    await until("the first is shown", () => said.text.includes("first"), 15_000);
    await agent.sendMessage({ to: "human", toKind: "human", body: "second" });
    await until("the second is shown", () => said.text.includes("second"), 15_000);
    const bodies = said.text
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as Message).body);
    expect(bodies).toEqual(["first", "second"]);
    await until(
      "both are read",
      async () =>
        (await home.admin().overview()).scopes.find((scope) => scope.scopeId === id)?.unreadHumanMessages === 0,
    );
    child.kill("SIGINT");
    expect(await exit).toBe(0);
  });
});

describe("tasks", () => {
  it("go from added to done", async () => {
    const { owner, run } = await freshScope();
    const shell = await home.agentShell(owner, "worker", ["review"]);
    const asAgent = (...args: string[]) => home.call(args, { env: shell });
    const first = (await run("task", "add", "First", "--priority", "high", "--json")).json<Task>();
    const added = await run("task", "add", "Second", "--depends-on", first.id, "--requires", "review");
    expect(added.stdout).toMatch(/^Added task_\w+ \(blocked\): Second\n$/);
    expect((await run("task", "list")).stdout).toMatch(/ready +high +First[\s\S]*blocked by 1 +Second/);
    expect(
      (await run("task", "list", "--ready", "--json")).json<{ tasks: Task[] }>().tasks.map(({ title }) => title),
    ).toEqual(["First"]);

    const refused = await run("task", "claim", first.id);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toMatch(/AGENT_INTERCOM_AGENT_TOKEN is not set[\s\S]*agent-intercom agent run/);
    expect((await asAgent("task", "claim", "--next")).stdout).toBe(`Claimed ${first.id}: First\n`);
    expect((await asAgent("task", "claim", first.id)).code).toBe(5);
    expect((await asAgent("task", "claim", "--next")).code).toBe(7);
    expect((await asAgent("task", "progress", first.id, "half way", "--kind", "note")).code).toBe(0);
    expect((await asAgent("task", "complete", first.id, "--note", "all good")).stdout).toBe(
      `Completed ${first.id}: First\n`,
    );
    expect((await run("task", "show", first.id)).stdout).toMatch(
      /State +done[\s\S]*Note\n {2}all good[\s\S]*worker \(note\): half way/,
    );
    const [second] = (await owner.listTasksPage({ ready: true })).tasks;
    expect(second?.title).toBe("Second");
    expect((await asAgent("task", "claim", second?.id as string)).code).toBe(0);
    expect((await asAgent("task", "release", second?.id as string)).stdout).toMatch(/^Released/);
  });

  it("are changed and called off", async () => {
    const { run } = await freshScope();
    const a = (await run("task", "add", "A", "--json")).json<Task>();
    const b = (await run("task", "add", "B", "--json")).json<Task>();
    expect((await run("task", "depend", b.id, "--on", a.id)).stdout).toBe(`${b.id} waits for ${a.id}.\n`);
    expect((await run("task", "depend", a.id, "--on", b.id)).code).toBe(5);
    expect((await run("task", "depend", b.id, "--not-on", a.id)).stdout).toBe(`${b.id} waits for nothing.\n`);
    expect((await run("task", "depend", b.id)).code).toBe(2);
    expect((await run("task", "update", b.id, "--title", "B2", "--priority", "low", "--json")).json()).toMatchObject({
      title: "B2",
      priority: "low",
    });
    expect((await run("task", "cancel", b.id, "--reason", "enough")).stdout).toBe(`Cancelled ${b.id}: B2\n`);
    expect((await run("task", "show", b.id)).stdout).toMatch(/Cancelled +enough/);
    expect((await run("task", "list", "--status", "cancelled")).stdout).toMatch(/cancelled +low +B2/);
  });
});

describe("asking the human", () => {
  it("waits for the answer and prints nothing else", async () => {
    const { id, owner, run } = await freshScope();
    const env = await home.agentShell(owner, "worker");
    const asking = home.run(["ask", "Which one?", "--option", "left", "--option", "right", "--context", "a crossing"], {
      env,
    });
    const question = await until(
      "the question is there",
      async () => (await owner.listEscalationsPage({})).escalations[0],
      15_000,
    );
    const shown = await run("escalations");
    expect(shown.stdout).toMatch(/worker asks {2}choice, pending[\s\S]*Which one\?\n +1\. left\n +2\. right/);
    expect((await run("escalations", "show", question.id)).stdout).toMatch(/a crossing/);
    expect((await run("escalations", "answer", question.id, "--option", "3")).code).toBe(2);
    expect((await run("escalations", "answer", question.id, "--option", "2")).stdout).toBe("Answered worker.\n");
    expect(await asking).toMatchObject({ code: 0, stdout: "right\n", stderr: "" });
    const late = await run("escalations", "answer", question.id, "left");
    expect(late.code).toBe(5);
    expect(late.stderr).toMatch(/answered already[\s\S]*human, cli/);
    expect((await run("escalations")).stdout).toBe("No questions.\n");
    const all = await home.run(["escalations", "list", "--all", "--json", "--scope", id]);
    expect(all.json<{ escalations: Escalation[] }>().escalations[0]).toMatchObject({
      answer: "right",
      resolution: { by: "human", surface: "cli" },
    });
  });

  it("puts questions off, takes answers back and shows what happened", async () => {
    const { id, owner } = await freshScope();
    const env = await home.agentShell(owner, "worker");
    const run = (...args: string[]) => home.call([...args, "--scope", id]);
    const asked = await home.call(["ask", "Which one?", "--no-wait"], { env });
    const question = asked.stdout.trim();
    const put = await run("escalations", "snooze", question, "--for", "10m");
    expect(put.stdout).toMatch(
      /^Put off until \d\d:\d\d:\d\d; worker has been told\.$|^Put off until .*; worker has been told\.\n$/,
    );
    expect((await run("escalations")).stdout).toMatch(/pending, put off until /);
    expect((await run("escalations", "snooze", question, "--for", "0")).stdout).toMatch(/look at it again/);
    expect((await run("escalations", "snooze", question, "--for", "tomorrow")).code).toBe(0);
    expect((await run("escalations", "snooze", question, "--for", "a while")).code).toBe(2);
    expect((await run("escalations", "snooze", question)).code).toBe(2);
    await run("escalations", "answer", question, "left", "--note", "slowly");
    const back = await run("escalations", "withdraw", question);
    expect(back.stdout).toBe("Taken back: the question is open again.\n");
    const twice = await run("escalations", "withdraw", question);
    expect(twice).toMatchObject({ code: 5, stderr: expect.stringContaining("no answer to take back") });
    await run("escalations", "answer", question, "right", "--note", "slowly");
    await home.call(["ask", "--resume", question], { env });
    expect((await run("escalations", "withdraw", question)).stderr).toMatch(/agent has read the answer/);
    const shown = (await run("escalations", "show", question)).stdout;
    const happened = shown.split("\n").map((line) => /\d\d:\d\d:\d\d {2}(.*)$/.exec(line)?.[1]);
    expect(happened.filter((line) => line !== undefined)).toEqual([
      "asked by worker",
      expect.stringMatching(/^put off until /),
      "brought back",
      expect.stringMatching(/^put off until /),
      "answered (human, cli)",
      "the answer was taken back",
      "answered (human, cli)",
      "the agent read the answer",
    ]);
    expect(shown).toMatch(/Answer \(human, cli, .*\): right\n +Note: slowly\n/);
    const json = await home.call(["escalations", "show", question, "--json", "--scope", id]);
    expect(json.json()).toMatchObject({ id: question, answer: "right", events: expect.any(Array) });
  });

  it("has an exit code for every other end", async () => {
    const { owner } = await freshScope();
    const env = await home.agentShell(owner, "worker");
    const ask = (...args: string[]) => home.run(["ask", ...args], { env });
    const expired = await ask("Now?", "--expires", "1s");
    expect(expired).toMatchObject({ code: 9, stdout: "" });
    const open = await ask("Later?", "--timeout", "100ms");
    expect(open.code).toBe(7);
    const [, id] = /--resume (ask_\w+)/.exec(open.stderr) ?? [];
    await owner.resolveEscalation({ escalationId: id as string, answer: "now" });
    expect(await ask("--resume", id as string)).toMatchObject({ code: 0, stdout: "now\n" });
    const asked = await ask("Never?", "--no-wait");
    await owner
      .agent(env.AGENT_INTERCOM_AGENT_TOKEN as string)
      .cancelEscalation({ escalationId: asked.stdout.trim(), reason: "solved" });
    const cancelled = await ask("--resume", asked.stdout.trim());
    expect(cancelled.code).toBe(10);
    expect(cancelled.stderr).toMatch(/taken back \(solved\)/);
    expect((await home.run(["ask", "Me?"])).code).toBe(6);
    expect((await ask()).code).toBe(2);
  });
});

describe("events", () => {
  it("shows the newest, by type, and follows as JSON lines", async () => {
    const { id, owner, run } = await freshScope();
    await owner.addTask({ title: "one" });
    await join2(owner, "a");
    expect((await run("events")).stdout).toMatch(/scope\.created[\s\S]*task\.created[\s\S]*agent\.registered/);
    expect((await run("events", "--type", "task.")).stdout.trim().split("\n")).toHaveLength(1);
    expect((await run("events", "--all-scopes")).code).toBe(2);
    for (const args of [["--scope", id], ["--all-scopes"]]) {
      const child = home.spawn(["events", "--follow", "--json", "--type", "task.created", ...args]);
      const said = output(child);
      const exit = new Promise((resolve) => child.once("exit", resolve));
      // It begins with what happens next, so there has to be a next one until it has begun.
      await until(
        "an event is shown",
        async () => {
          await owner.addTask({ title: "more" });
          return said.text.includes("\n");
        },
        15_000,
      );
      child.kill("SIGINT");
      expect(await exit).toBe(0);
      for (const line of said.text.trim().split("\n"))
        expect(JSON.parse(line)).toMatchObject({ type: "task.created", scopeId: id });
    }
  });
});

describe("every command as a process of its own", () => {
  it("answers with one JSON document and nothing on standard error", async () => {
    const { id, owner } = await freshScope();
    const shell = await home.agentShell(owner, "worker");
    const agent = owner.agent(shell.AGENT_INTERCOM_AGENT_TOKEN as string);
    await owner.registerAgent({ id: "peer", displayName: "Peer" });
    const task = (title: string) => owner.addTask({ title }).then((added) => added.id);
    const [first, second] = [await task("first"), await task("second")];
    const { messageId } = await agent.sendMessage({ to: "human", toKind: "human", body: "note" });
    const question = await agent.askHuman({ question: "Which?" });
    const asOwner = [
      ["status"],
      ["version"],
      ["help", "environment"],
      ["start"],
      ["scope", "list"],
      ["agent", "list"],
      ["agent", "show", "peer"],
      ["link", "worker", "peer"],
      ["link", "list"],
      ["link", "requests"],
      ["link", "remove", "worker", "peer"],
      ["message", "send", "peer", "hello"],
      ["message", "list"],
      ["message", "list", "--agent", "peer"],
      ["message", "show", messageId],
      ["message", "receipt", messageId],
      ["inbox"],
      ["inbox", "read", messageId],
      ["task", "add", "third"],
      ["task", "list"],
      ["task", "show", first],
      ["task", "update", second, "--priority", "low"],
      ["task", "depend", second, "--on", first],
      ["task", "cancel", second],
      ["escalations"],
      ["escalations", "show", question.id],
      ["escalations", "answer", question.id, "this"],
      ["events"],
      ["agent", "remove", "peer"],
    ];
    const asAgent = [
      ["status"],
      ["agent", "show"],
      ["agent", "list"],
      ["inbox", "--mark-read"],
      ["message", "send", "human", "hi"],
      ["message", "list"],
      ["task", "claim", first],
      ["task", "progress", first, "going"],
      ["task", "release", first],
      ["task", "claim", "--next"],
      ["task", "complete", first],
    ];
    const owners = async () => {
      for (const args of asOwner) await answersJson([...args, "--json", "--scope", id], {});
    };
    const agents = async () => {
      for (const args of asAgent) await answersJson([...args, "--json"], shell);
    };
    // The order counts within each list only.
    await Promise.all([owners(), agents()]);
    await answersJson(["ask", "--resume", question.id, "--json"], shell);
  }, 180_000);

  async function answersJson(args: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
    const { code, stdout, stderr } = await home.run(args, { env });
    expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: "" });
    expect(() => JSON.parse(stdout)).not.toThrow();
  }
});
