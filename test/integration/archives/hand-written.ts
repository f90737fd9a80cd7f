/** An archive in the shape of October Bus 0.1, with one record in each list that the format has; nothing of ours in it. */
export function handWritten(scopeId: string) {
  const at = (second: number) => `2025-03-01T10:00:${String(second).padStart(2, "0")}.000Z`;
  const principal = "a2ap_0123456789abcdef0123456789abcdef";
  return {
    format: "october-bus.scope",
    version: 2,
    exportedAt: "2025-03-02T00:00:00.000Z",
    scope: { id: scopeId, createdAt: at(0) },
    agents: [
      {
        id: "planner",
        displayName: "Planner",
        capabilities: [{ name: "planning", description: "" }],
        registeredAt: at(1),
        updatedAt: at(9),
      },
      { id: "reviewer", displayName: "Reviewer", capabilities: [], registeredAt: at(2), updatedAt: at(9) },
    ],
    links: [{ left: "planner", right: "reviewer", createdAt: at(3) }],
    messages: [
      message("m-1", "planner", "reviewer", at(4), {
        mode: "request",
        state: "acknowledged",
        context: [{ kind: "text", title: "plan", text: "step by step" }],
        idempotencyKey: "first",
        expiresAt: "2025-03-01T11:00:04.000Z",
        deliveredAt: at(5),
        acknowledgedAt: at(6),
        repliedAt: at(7),
        responseMessageId: "m-2",
      }),
      message("m-2", "reviewer", "planner", at(7), {
        mode: "response",
        responseTo: "m-1",
        state: "delivered",
        deliveredAt: at(8),
      }),
      message("m-3", "planner", "reviewer", at(7), { state: "queued" }),
      message("m-4", "planner", "reviewer", at(8), { mode: "request", state: "expired", expiresAt: at(9) }),
      message("m-5", principal, "reviewer", at(10), {
        fromKind: "a2aPrincipal",
        mode: "request",
        state: "acknowledged",
        deliveredAt: at(11),
        acknowledgedAt: at(12),
        repliedAt: at(12),
        responseMessageId: "m-6",
      }),
      message("m-6", "reviewer", principal, at(12), {
        toKind: "a2aPrincipal",
        mode: "response",
        responseTo: "m-5",
        state: "acknowledged",
        deliveredAt: at(12),
        acknowledgedAt: at(12),
      }),
    ],
    tasks: [
      task("t-1", at(13), { createdBy: "planner", status: "done", claimedBy: "reviewer", note: "fine" }),
      task("t-2", at(14), { createdBy: null, status: "open", dependencies: ["t-1"] }),
      task("t-3", at(15), { createdBy: "planner", status: "open", dependencies: ["t-2", "t-1"] }),
    ],
    taskProgress: [
      { taskId: "t-1", sequence: 1, agentId: "reviewer", kind: "progress", text: "half", createdAt: at(16) },
      { taskId: "t-1", sequence: 2, agentId: "reviewer", kind: "note", text: "nearly", createdAt: at(17) },
    ],
    escalations: [
      question("a-1", at(18), { options: ["yes", "no"], status: "resolved", answer: "yes", resolvedAt: at(19) }),
      question("a-2", at(19), { status: "pending" }),
      question("a-3", at(20), { status: "cancelled" }),
    ],
    agentCardPublications: [{ id: "pub-1", agentId: "reviewer", createdAt: at(9), updatedAt: at(9) }],
    a2aTasks: [
      {
        id: "a2at-1",
        contextId: "a2ac-1",
        principalId: principal,
        publicationId: "pub-1",
        targetAgentId: "reviewer",
        state: "completed",
        createdAt: at(10),
        updatedAt: at(12),
      },
    ],
    a2aMessages: [
      {
        principalId: principal,
        clientMessageId: "c-1",
        taskId: "a2at-1",
        busRequestMessageId: "m-5",
        busResponseMessageId: "m-6",
        createdAt: at(10),
        updatedAt: at(12),
      },
    ],
    outputStreams: [
      {
        id: "out-1",
        name: "status",
        retentionLimit: 2,
        currentSequence: 3,
        minimumCursor: 1,
        publisherAgentIds: ["reviewer"],
        createdAt: at(21),
        updatedAt: at(24),
      },
    ],
    outputValues: [
      value(2, at(23), { producerType: "agent", producerId: "reviewer", contentType: "text/plain", value: "building" }),
      value(3, at(24), {
        producerType: "principal",
        producerId: "cred_1",
        contentType: "application/json",
        value: { b: [1, null], a: { c: "d" } },
        reference: { uri: "https://example.org/", title: "log" },
      }),
    ],
  };
}

function message(id: string, from: string, to: string, createdAt: string, more: Readonly<Record<string, unknown>>) {
  const parties = { from, fromKind: "agent", to, toKind: "agent" };
  return { id, ...parties, mode: "notify", body: `body of ${id}`, context: [], createdAt, ...more };
}

function task(id: string, createdAt: string, more: Readonly<Record<string, unknown>>) {
  return { id, title: `task ${id}`, description: "", dependencies: [], createdAt, updatedAt: createdAt, ...more };
}

function question(id: string, createdAt: string, more: Readonly<Record<string, unknown>>) {
  return { id, agentId: "planner", question: `question ${id}`, options: [], createdAt, ...more };
}

function value(sequence: number, createdAt: string, more: Readonly<Record<string, unknown>>) {
  return { streamId: "out-1", sequence, createdAt, ...more };
}
