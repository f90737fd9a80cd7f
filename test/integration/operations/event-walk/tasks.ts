import { endings } from "./members.ts";
import { ANY_ID, BY_SCOPE, notice, type Row, row } from "./rows.ts";
import type { Expected, Stage } from "./stage.ts";

const OPEN = { status: "open" };

function claim(stage: Stage, status: string) {
  return { claimedBy: "ben", executionId: stage.ben.executionId, status };
}

const tasks: readonly Row[] = [
  row("Task: [*] --> open: addTask", async (stage) =>
    stage.call(stage.ada, "addTask", { title: stage.text(), description: stage.text() }, ({ id }) => [
      ["task.created", id, { createdBy: "ada", ...OPEN }],
    ]),
  ),
  row(
    "Task: [*] --> open: addTask",
    async (stage) =>
      stage.call(stage.scope, "addTask", { title: stage.text() }, ({ id }) => [
        ["task.created", id, { ...OPEN, ...BY_SCOPE }],
      ]),
    "by the owner",
  ),
  ...(["open", "claimed"] as const).flatMap((status) => {
    const begin = (stage: Stage) => (status === "open" ? stage.task() : stage.claimed());
    return [
      row(`Task: ${status} --> ${status}: updateTask`, async (stage) => {
        const taskId = await begin(stage);
        const input = { taskId, title: stage.text(), description: stage.text(), priority: "high" as const };
        return stage.call(stage.ada, "updateTask", input, () => [["task.updated", taskId, { status }]]);
      }),
      row(`Task: ${status} --> ${status}: editTaskDependencies`, async (stage) => {
        const done = await stage.claimed();
        await stage.ben.call("completeTask", { taskId: done });
        const taskId = await begin(stage);
        const ready = String(status === "open");
        return stage.call(stage.ada, "editTaskDependencies", { taskId, add: [done] }, () => [
          ["task.dependencies_changed", taskId, { added: "1", removed: "0", ready }],
        ]);
      }),
      row(
        [
          `Task: ${status} --> cancelled: cancelTask`,
          ...(status === "claimed" ? ["Claim: held --> void: cancelTask", "Delivery: [*] --> queued: notice"] : []),
        ],
        async (stage) => {
          const nia = await stage.agent("nia", { notices: true });
          const taskId = await stage.task();
          if (status === "claimed") await nia.call("claimTask", { taskId });
          const cancelled: Expected = ["task.cancelled", taskId, { status: "cancelled" }];
          const claimed: Expected[] = [
            ["task.cancelled", taskId, { previousClaimedBy: "nia", status: "cancelled" }],
            notice("nia"),
          ];
          return stage.call(stage.ada, "cancelTask", { taskId, reason: stage.text() }, () =>
            status === "open" ? [cancelled] : claimed,
          );
        },
      ),
    ];
  }),
  row("Task: open --> open: completeTask", async (stage) => {
    const nia = await stage.agent("nia", { notices: true });
    const dependency = await stage.claimed();
    const { id: waiting } = await nia.call("addTask", { title: stage.text(), dependencies: [dependency] });
    return stage.call(stage.ben, "completeTask", { taskId: dependency, note: stage.text() }, () => [
      ["task.completed", dependency, claim(stage, "done")],
      ["task.dependency_completed", waiting, { dependency, ready: "true" }],
      notice("nia"),
    ]);
  }),
  row("Task: open --> open: cancelTask", async (stage) => {
    const dependency = await stage.task();
    const waiting = await stage.task({ dependencies: [dependency] });
    return stage.call(stage.ada, "cancelTask", { taskId: dependency, reason: stage.text() }, () => [
      ["task.cancelled", dependency, { status: "cancelled" }],
      ["task.dependency_cancelled", waiting, { dependency }],
    ]);
  }),
  row("Task: claimed --> claimed: addTaskProgress", async (stage) => {
    const taskId = await stage.claimed();
    const { executionId } = stage.ben;
    return stage.call(stage.ben, "addTaskProgress", { taskId, kind: "blocker", text: stage.text() }, () => [
      ["task.progress_added", taskId, { agentId: "ben", executionId, kind: "blocker", sequence: "1" }],
    ]);
  }),
  row(["Task: claimed --> done: completeTask", "Claim: held --> finished: completeTask"], async (stage) => {
    const taskId = await stage.claimed();
    return stage.call(stage.ben, "completeTask", { taskId, note: stage.text() }, () => [
      ["task.completed", taskId, claim(stage, "done")],
    ]);
  }),
];

const claims: readonly Row[] = [
  row(["Task: open --> claimed: claimTask", "Claim: [*] --> held: claimTask"], async (stage) => {
    const taskId = await stage.task();
    return stage.call(stage.ben, "claimTask", { taskId }, () => [["task.claimed", taskId, claim(stage, "claimed")]]);
  }),
  row(["Task: open --> claimed: claimNextTask", "Claim: [*] --> held: claimNextTask"], async (stage) => {
    const taskId = await stage.task();
    return stage.call(stage.ben, "claimNextTask", {}, () => [["task.claimed", taskId, claim(stage, "claimed")]]);
  }),
  row(["Task: claimed --> open: releaseTask", "Claim: held --> released: releaseTask"], async (stage) => {
    const taskId = await stage.claimed();
    return stage.call(stage.ben, "releaseTask", { taskId }, () => [
      [
        "task.released",
        taskId,
        { previousClaimedBy: "ben", executionId: stage.ben.executionId, reason: "released", ...OPEN },
      ],
    ]);
  }),
  row(["Task: claimed --> open: time", "Claim: held --> released: time"], async (stage) => {
    const { executionId, ...brief } = await holder(stage);
    return stage.passes(30_000, () => [
      ["task.released", brief.taskId, lost("brief", executionId, "expired")],
      notice("nia"),
      ["agent.lease_expired", "brief", { executionId }],
    ]);
  }),
  ...endings("Claim", "held", "released", async (stage) => {
    const taskId = await stage.claimed();
    return (cause, actor) => [["task.released", taskId, { ...lost("ben", stage.ben.executionId, cause), ...actor }]];
  }).map((each) => ({
    ...each,
    transitions: each.transitions.flatMap((name) => [
      name,
      name.replace("Claim: held --> released", "Task: claimed --> open"),
    ]),
  })),
];

function lost(agentId: string, executionId: string, cause: string) {
  return { previousClaimedBy: agentId, executionId, reason: "execution_expired", cause, ...OPEN };
}

/** An execution of half a minute that has claimed a task of nia's. */
async function holder(stage: Stage) {
  const nia = await stage.agent("nia", { notices: true });
  const { id: taskId } = await nia.call("addTask", { title: stage.text() });
  const brief = await stage.agent("brief", { leaseMs: 30_000 });
  await brief.call("claimTask", { taskId });
  return { taskId, executionId: brief.executionId };
}

const question = (status: string) => ({ agentId: "ada", status });

/** A question of somebody who takes notices, answered and not read. */
async function answeredOfNia(stage: Stage) {
  const nia = await stage.agent("nia", { notices: true });
  const { id: escalationId } = await nia.call("askHuman", { question: stage.text() });
  await stage.scope.call("resolveEscalation", { escalationId, answer: stage.text(), note: stage.text() });
  return { nia, escalationId };
}

const escalations: readonly Row[] = [
  row("Escalation: [*] --> pending: askHuman", async (stage) => {
    const options = [stage.text(), stage.text()];
    const context = [{ kind: "url" as const, title: stage.text(), uri: `https://example.org/${stage.text()}` }];
    const input = { question: stage.text(), options, context, urgency: "high" as const };
    return stage.call(stage.ada, "askHuman", input, ({ id }) => [
      ["escalation.created", id, { ...question("pending"), kind: "choice", urgency: "high" }],
    ]);
  }),
  row(["Escalation: pending --> resolved: resolveEscalation", "Delivery: [*] --> queued: notice"], async (stage) => {
    const nia = await stage.agent("nia", { notices: true });
    const { id: escalationId } = await nia.call("askHuman", { question: stage.text() });
    const input = { escalationId, answer: stage.text(), note: stage.text(), by: "rule", surface: "tray" } as const;
    return stage.call(stage.scope, "resolveEscalation", input, () => [
      [
        "escalation.resolved",
        escalationId,
        { agentId: "nia", status: "resolved", by: "rule", surface: "tray", late: "false", ...BY_SCOPE },
      ],
      notice("nia", { from: "human", fromKind: "human", ...BY_SCOPE }),
    ]);
  }),
  row("Escalation: expired --> resolved: resolveEscalation", async (stage) => {
    const escalationId = await stage.question({ expiresInMs: 1000 });
    await stage.intercom.advance(1000);
    return stage.call(stage.scope, "resolveEscalation", { escalationId, answer: stage.text() }, () => [
      [
        "escalation.resolved",
        escalationId,
        { ...question("resolved"), by: "human", surface: "api", late: "true", ...BY_SCOPE },
      ],
    ]);
  }),
  row("Escalation: pending --> pending: deferEscalation", async (stage) => {
    const nia = await stage.agent("nia", { notices: true });
    const { id: escalationId } = await nia.call("askHuman", { question: stage.text() });
    return stage.call(stage.scope, "deferEscalation", { escalationId, delayMs: 60_000 }, ({ deferredUntil }) => [
      [
        "escalation.deferred",
        escalationId,
        { agentId: "nia", status: "pending", deferredUntil: deferredUntil ?? "missing", ...BY_SCOPE },
      ],
      notice("nia", BY_SCOPE),
    ]);
  }),
  row(
    "Escalation: pending --> pending: deferEscalation",
    async (stage) => {
      const escalationId = await stage.question();
      await stage.scope.call("deferEscalation", { escalationId, delayMs: 60_000 });
      const deferredUntil = new Date(stage.intercom.clock.now()).toISOString();
      return stage.call(stage.scope, "deferEscalation", { escalationId, delayMs: 0 }, () => [
        ["escalation.deferred", escalationId, { ...question("pending"), deferredUntil, ...BY_SCOPE }],
      ]);
    },
    "back to now",
  ),
  row("Escalation: pending --> pending: recordEscalationNotice", async (stage) => {
    const escalationId = await stage.question();
    const input = { escalationId, surface: "notification", verdict: "suppressed_visible" } as const;
    return stage.call(stage.scope, "recordEscalationNotice", input, () => [
      [
        "escalation.shown",
        escalationId,
        { agentId: "ada", surface: "notification", verdict: "suppressed_visible", ...BY_SCOPE },
      ],
    ]);
  }),
  row(
    ["Escalation: resolved --> pending: withdrawAnswer", "Delivery: queued --> [*]: withdrawAnswer"],
    async (stage) => {
      const { escalationId } = await answeredOfNia(stage);
      return stage.call(stage.scope, "withdrawAnswer", { escalationId }, () => [
        ["escalation.answer_withdrawn", escalationId, { agentId: "nia", status: "pending", ...BY_SCOPE }],
        ["message.withdrawn", ANY_ID, { from: "human", to: "nia", mode: "notify", ...BY_SCOPE }],
      ]);
    },
  ),
  row("Escalation: resolved --> resolved: commitInbox", async (stage) => {
    const { nia, escalationId } = await answeredOfNia(stage);
    const { id: reservationId = "" } = (await nia.call("reserveInbox", {})) ?? {};
    return stage.call(nia, "commitInbox", { reservationId }, () => [
      ["message.delivered", ANY_ID, { from: "human", to: "nia", mode: "notify", state: "delivered" }],
      ["escalation.answer_read", escalationId, { agentId: "nia", status: "resolved", by: "inbox" }],
    ]);
  }),
  row("Escalation: pending --> cancelled: cancelEscalation", async (stage) => {
    const escalationId = await stage.question();
    return stage.call(stage.ada, "cancelEscalation", { escalationId, reason: stage.text() }, () => [
      ["escalation.cancelled", escalationId, question("cancelled")],
    ]);
  }),
  row("Escalation: pending --> expired: time", async (stage) => {
    const id = await stage.question({ expiresInMs: 1000 });
    return stage.passes(1000, () => [["escalation.expired", id, question("expired")]]);
  }),
];

export const taskRows: readonly Row[] = [...tasks, ...claims, ...escalations];
