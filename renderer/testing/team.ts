import { type Ago, sampleAgent, sampleMessage, sampleQuestion, sampleTask } from "./sample.ts";
import type { World } from "./world.ts";

const SHOP = "web-shop";
const DOCS = "handbook";

/** A team as a human may have it: two projects, a few agents, and questions of every kind. */
export function fillTeam(world: World, ago: Ago): void {
  agents(world, ago);
  tasks(world, ago);
  messages(world, ago);
  for (const question of questions(ago)) {
    world.putQuestion(question, "escalation.created", { kind: question.kind, urgency: question.urgency });
  }
  for (const scopeId of [SHOP, DOCS]) world.addScope(scopeId);
}

function agents(world: World, ago: Ago): void {
  const claude = { harness: "claude-code", harnessVersion: "2.1.0", model: "claude-opus-4-5" };
  const people = [
    sampleAgent(ago, {
      id: "builder",
      scopeId: SHOP,
      displayName: "Checkout builder",
      summary: "Moves the checkout to the new payment interface",
      lifecycle: "needs_input",
      capabilities: [{ name: "typescript" }, { name: "payments", description: "Knows the payment provider" }],
      metadata: { ...claude, cwd: "/home/ada/src/web-shop", host: "ada-laptop", pid: 48_213 },
      owes: { undelivered: 0, unanswered: 1 },
    }),
    sampleAgent(ago, {
      id: "reviewer",
      scopeId: SHOP,
      summary: "Reviews what the others change",
      metadata: { harness: "codex", model: "gpt-5-codex", cwd: "/home/ada/src/web-shop" },
      owes: { undelivered: 2, unanswered: 0 },
    }),
    sampleAgent(ago, {
      id: "migrator",
      scopeId: SHOP,
      lifecycle: "idle",
      metadata: { ...claude, cwd: "/home/ada/src/web-shop/packages/database-migrations" },
      lastSeenAt: ago(2),
    }),
    sampleAgent(ago, {
      id: "tester",
      scopeId: SHOP,
      lifecycle: "offline",
      reachable: false,
      ready: false,
      lastSeenAt: ago(130),
      metadata: { harness: "opencode", model: "qwen3-coder", cwd: "/home/ada/src/web-shop" },
    }),
    sampleAgent(ago, {
      id: "writer",
      scopeId: DOCS,
      displayName: "Documentation",
      metadata: { ...claude, cwd: "/home/ada/src/handbook" },
    }),
  ];
  for (const agent of people) world.putAgent(agent);
}

function questions(ago: Ago) {
  const hour = 60;
  return [
    sampleQuestion(ago, {
      id: "esc_permission",
      scopeId: SHOP,
      agentId: "migrator",
      kind: "permission",
      urgency: "high",
      question: "May I run the migration that drops the table legacy_orders in the staging database?",
      context: [
        { kind: "text", title: "Command", text: "npm run migrate -- --env staging --only 0042_drop_legacy_orders" },
        { kind: "file", title: "The migration", uri: "packages/database-migrations/0042_drop_legacy_orders.sql" },
        { kind: "text", title: "Why now", text: "0043 needs the name. The table was last read 41 days ago." },
      ],
      createdAt: ago(2),
      expiresAt: ago(-8),
    }),
    sampleQuestion(ago, {
      id: "esc_choice",
      scopeId: SHOP,
      agentId: "builder",
      question:
        "The payment provider has two ways to confirm a card. Which one do we want in the first release?\n\nRedirect is simple and sends customers to the bank's page. Embedded keeps them in our shop and needs a second key.",
      options: ["Redirect to the bank", "Embedded in the shop", "Both, chosen by country"],
      context: [{ kind: "url", title: "Comparison by the provider", uri: "https://payments.example/confirmation" }],
      createdAt: ago(11),
      expiresAt: ago(-3 * hour),
    }),
    sampleQuestion(ago, {
      id: "esc_input",
      scopeId: DOCS,
      agentId: "writer",
      urgency: "low",
      question: "What should the chapter about returns be called? The old name is “Reverse logistics”.",
      createdAt: ago(55),
    }),
    sampleQuestion(ago, {
      id: "esc_later",
      scopeId: SHOP,
      agentId: "reviewer",
      question: "Should I also review the generated files?",
      options: ["Yes", "No"],
      createdAt: ago(90),
      deferredUntil: ago(-45),
    }),
    sampleQuestion(ago, {
      id: "esc_answered",
      scopeId: SHOP,
      agentId: "builder",
      question: "Which currency is the default?",
      options: ["EUR", "USD"],
      status: "resolved",
      answer: "EUR",
      resolution: { by: "human", surface: "tray", at: ago(140), late: false, note: "Ask me before you add others." },
      resolvedAt: ago(140),
      answerReadAt: ago(139.8),
      createdAt: ago(150),
    }),
    sampleQuestion(ago, {
      id: "esc_expired",
      scopeId: SHOP,
      agentId: "tester",
      question: "The end-to-end tests need a test card number. Which one may I use?",
      status: "expired",
      createdAt: ago(400),
      expiresAt: ago(340),
      expiredAt: ago(340),
    }),
    sampleQuestion(ago, {
      id: "esc_cancelled",
      scopeId: DOCS,
      agentId: "writer",
      question: "Is there a glossary?",
      status: "cancelled",
      cancelReason: "Found it myself in docs/glossary.md",
      createdAt: ago(500),
      cancelledAt: ago(495),
    }),
  ];
}

function messages(world: World, ago: Ago): void {
  const said: readonly (readonly [from: string, to: string, body: string, minutes: number, more?: object])[] = [
    [
      "builder",
      "reviewer",
      "The new payment form is on branch checkout-2. Can you look at the error paths?",
      42,
      {
        mode: "request",
        state: "acknowledged",
        responseMessageId: "msg_2",
        repliedAt: ago(30),
      },
    ],
    [
      "reviewer",
      "builder",
      "Two of them swallow the provider's reason. Comments are in the diff.",
      30,
      { mode: "response" },
    ],
    ["human", "builder", "Please keep the old form behind a switch until Friday.", 25],
    ["builder", "human", "Done: CHECKOUT_FORM=old brings it back.", 20, { state: "delivered" }],
    [
      "migrator",
      "tester",
      "0041 is in staging. Please run the order tests.",
      15,
      { state: "queued", deliveryCount: 0 },
    ],
    [
      "builder",
      "tester",
      "And the refund tests as well.",
      14,
      {
        state: "dead_lettered",
        deadLetterReason: "The refund tests are not mine.",
      },
    ],
  ];
  said.forEach(([from, to, body, minutes, more], index) => {
    world.messages.push(
      sampleMessage(ago, { id: `msg_${index + 1}`, scopeId: SHOP, from, to, body, createdAt: ago(minutes), ...more }),
    );
  });
}

function tasks(world: World, ago: Ago): void {
  const list = [
    sampleTask(ago, {
      id: "tsk_form",
      scopeId: SHOP,
      title: "Payment form",
      status: "claimed",
      claimedBy: "builder",
      priority: "high",
    }),
    sampleTask(ago, { id: "tsk_api", scopeId: SHOP, title: "Payment interface", status: "done", claimedBy: "builder" }),
    sampleTask(ago, {
      id: "tsk_drop",
      scopeId: SHOP,
      title: "Drop legacy_orders",
      status: "claimed",
      claimedBy: "migrator",
    }),
    sampleTask(ago, {
      id: "tsk_tests",
      scopeId: SHOP,
      title: "End-to-end tests of the checkout",
      dependencies: ["tsk_form", "tsk_api"],
      blockedBy: ["tsk_form"],
      ready: false,
      requires: ["browser"],
    }),
    sampleTask(ago, {
      id: "tsk_release",
      scopeId: SHOP,
      title: "Release 2.0",
      dependencies: ["tsk_tests", "tsk_drop"],
      blockedBy: ["tsk_tests", "tsk_drop"],
      ready: false,
      priority: "urgent",
    }),
    sampleTask(ago, {
      id: "tsk_old",
      scopeId: SHOP,
      title: "Support for cheques",
      status: "cancelled",
      cancelReason: "Nobody pays so.",
    }),
    sampleTask(ago, {
      id: "tsk_returns",
      scopeId: DOCS,
      title: "Chapter about returns",
      status: "claimed",
      claimedBy: "writer",
    }),
  ];
  for (const task of list) world.tasks.set(task.id, task);
  world.progress.push(
    {
      taskId: "tsk_form",
      sequence: 1,
      agentId: "builder",
      executionId: "exe_builder",
      kind: "progress",
      text: "Form and validation are done.",
      createdAt: ago(40),
    },
    {
      taskId: "tsk_form",
      sequence: 2,
      agentId: "builder",
      executionId: "exe_builder",
      kind: "blocker",
      text: "Waiting for the human: redirect or embedded?",
      createdAt: ago(11),
    },
  );
  for (const task of list) world.tell(task.scopeId, "task.created", task.id, { status: task.status });
}
