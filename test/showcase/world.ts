// A small team at work, for pictures of the product: what has been said and done in the last hours, and who is there now.
import { AdminClient, AgentClient, AgentSession, type ScopeClient } from "../../client/index.ts";
import { startDaemon } from "../../daemon/index.ts";
import type { OperationInput } from "../../protocol/index.ts";
import { TestClock } from "../support/clock.ts";

const SCOPE = "default";
const MINUTE_MS = 60_000;
const HOURS = 3;

type Registration = Omit<OperationInput<"registerAgent">, "id"> & { readonly id: string };

const team = {
  claude: {
    id: "claude",
    displayName: "Claude",
    summary: "Rounding in the cart total",
    capabilities: [{ name: "plan" }, { name: "code" }],
    metadata: { harness: "claude-code", harnessVersion: "2.1.197", model: "opus-4.8", cwd: "/home/ada/shop" },
  },
  codex: {
    id: "codex",
    displayName: "Codex",
    summary: "Reviewing changes to the web shop",
    capabilities: [{ name: "review" }, { name: "test" }],
    metadata: { harness: "codex", harnessVersion: "0.171.0", model: "gpt-5.4-codex", cwd: "/home/ada/shop" },
  },
  opencode: {
    id: "opencode",
    displayName: "OpenCode",
    summary: "Documentation of the API",
    capabilities: [{ name: "docs" }],
    metadata: { harness: "opencode", harnessVersion: "1.18.33", model: "qwen-4-coder", cwd: "/home/ada/api" },
  },
  cursor: {
    id: "cursor",
    displayName: "Cursor",
    summary: "Colours of the checkout",
    capabilities: [{ name: "design" }],
    metadata: { harness: "cursor", harnessVersion: "4.2", cwd: "/home/ada/shop/web" },
  },
} satisfies Record<string, Registration>;

type Name = keyof typeof team;
type Team = Record<Name, AgentClient>;

/** Writes the last hours into a data directory that no daemon uses yet. */
export async function writeHistory(dataDir: string, runtimeDir: string): Promise<void> {
  const clock = new TestClock(Date.now() - HOURS * 60 * MINUTE_MS);
  const daemon = await startDaemon({ dataDir, runtimeDir, port: 0, env: {}, clock });
  try {
    const { address, adminToken } = daemon;
    const admin = new AdminClient({ address, adminToken });
    await admin.createScope({ id: SCOPE, linkPolicy: "open" });
    const owner = admin.scope(SCOPE);
    const join = async (name: Name) => {
      const { agentToken } = await owner.registerAgent({ ...team[name], leaseMs: LEASE_MS });
      return new AgentClient({ address, agentToken });
    };
    const [claude, codex, opencode, cursor] = await Promise.all([
      join("claude"),
      join("codex"),
      join("opencode"),
      join("cursor"),
    ]);
    await act({ claude, codex, opencode, cursor }, owner, (minutes) => clock.advance(minutes * MINUTE_MS));
  } finally {
    await daemon.stop();
  }
}

/** Longer than the story. */
const LEASE_MS = 2 * HOURS * 60 * MINUTE_MS;

async function act(agents: Team, owner: ScopeClient, later: (minutes: number) => void): Promise<void> {
  const { claude, codex, opencode, cursor } = agents;
  const tell = (from: AgentClient, to: Name, body: string) => from.sendMessage({ to, body });
  const receive = async (agent: AgentClient) => {
    const reservation = await agent.reserveInbox();
    if (!reservation) return;
    const messages = await agent.commitInbox({ reservationId: reservation.id });
    await agent.acknowledgeMessages({ messageIds: messages.map(({ id }) => id) });
  };
  await owner.addTask({ title: "Describe the discount rules", requires: ["docs"] });
  const colours = await cursor.addTask({ title: "Contrast of the pay button", requires: ["design"] });
  await cursor.claimTask({ taskId: colours.id });
  await cursor.completeTask({ taskId: colours.id, note: "4.9 to 1 in both themes." });
  later(12);
  await tell(cursor, "opencode", "The pay button is called “Pay now” everywhere. Please use that in the guide.");
  await receive(opencode);
  await tell(opencode, "cursor", "Done, also in the screenshots.");
  await receive(cursor);
  later(25);
  const polyfill = await opencode.askHuman({
    question: "Shall the guide show prices with or without tax?",
    options: ["With tax", "Without tax", "Both"],
  });
  later(4);
  await owner.resolveEscalation({ escalationId: polyfill.id, answer: "With tax", by: "human", surface: "tray" });
  await receive(opencode);
  later(31);
  const fix = await claude.addTask({
    title: "Fix the rounding of the cart total",
    description: "Totals are off by a cent when an item costs a fraction of one.",
    priority: "high",
  });
  await claude.claimTask({ taskId: fix.id });
  later(22);
  await claude.addTaskProgress({ taskId: fix.id, kind: "progress", text: "Sums are kept in tenths of a cent now." });
  const review = await claude.addTask({
    title: "Review the rounding fix",
    priority: "high",
    requires: ["review"],
  });
  const test = await claude.addTask({ title: "Add a test for 3 × 0.335", dependencies: [review.id] });
  const notes = await opencode.addTask({
    title: "Mention it in the release notes",
    dependencies: [fix.id],
    requires: ["docs"],
  });
  await owner.addTask({ title: "Release 1.4.2", priority: "urgent", dependencies: [test.id, notes.id] });
  later(6);
  const request = await claude.sendMessage({
    to: "codex",
    mode: "request",
    body: "I fixed the rounding of the cart total. Can you review it before we ship?",
    context: [
      { kind: "file", title: "src/cart.ts", uri: "file:///home/ada/shop/src/cart.ts" },
      { kind: "text", title: "What changed", text: "total = Math.round(sum * 1000) / 1000" },
    ],
  });
  await receive(codex);
  await codex.claimTask({ taskId: review.id });
  later(17);
  await codex.addTaskProgress({
    taskId: review.id,
    kind: "progress",
    text: "All 214 tests pass; one total is off by a cent.",
  });
  await codex.sendMessage({
    to: "claude",
    mode: "response",
    responseTo: request.messageId,
    body: "Good, but 3 × 0.335 still rounds down. Ship it as it is, or fix that first?",
  });
  await receive(claude);
  await owner.sendHumanMessage({ to: "opencode", body: "Please keep the examples short." });
  later(14);
  await receive(opencode);
  await opencode.sendMessage({ to: "human", toKind: "human", body: "The reference is done; the guide is next." });
  later(9);
  await cursor.retire();
  await owner.sendHumanMessage({ to: "cursor", body: "When you are back: the footer needs the new address." });
}

/** Lets the team come back, and ask. The sessions are the caller's to close. */
export async function bringToLife(admin: AdminClient): Promise<AgentSession[]> {
  const owner = admin.scope(SCOPE);
  const start = (name: Exclude<Name, "cursor">) => AgentSession.start({ scope: owner, registration: team[name] });
  const [claude, codex, opencode] = await Promise.all([start("claude"), start("codex"), start("opencode")]);
  await claude.setState({ lifecycle: "working", ready: true });
  const [claimable] = (await owner.listTasksPage()).tasks.filter(({ title }) => title.startsWith("Review"));
  if (claimable) await codex.client.claimTask({ taskId: claimable.id });
  await opencode.client.askHuman({
    question: "Which browsers do we still support? I found a polyfill for Safari 14.",
  });
  await codex.client.askHuman({
    kind: "permission",
    question: "Run “npm publish” for @shop/api 1.4.2?",
    context: [{ kind: "text", title: "Command", text: "npm publish --access public" }],
  });
  await claude.client.askHuman({
    question: "The reviewer found a one-cent difference for 3 × 0.335. Ship anyway?",
    options: ["Ship it", "Fix it first"],
    urgency: "high",
    expiresInMs: 30 * MINUTE_MS,
    context: [
      { kind: "file", title: "src/cart.ts", uri: "file:///home/ada/shop/src/cart.ts" },
      { kind: "text", title: "What codex wrote", text: "All 214 tests pass; one total is off by a cent." },
    ],
  });
  return [claude, codex, opencode];
}
