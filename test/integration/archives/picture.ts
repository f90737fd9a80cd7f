import type { Agent, Message, Task } from "../../../protocol/index.ts";
import type { ScopeActor } from "../../support/actors.ts";

/** Everything the owner of a scope can see of it, but for events and credentials. */
export async function pictureOf(scope: ScopeActor) {
  const messages: Message[] = [];
  for (let before: string | undefined; ; ) {
    const page = await scope.call("listMessages", before === undefined ? {} : { before });
    messages.push(...page.messages);
    if (page.nextCursor === undefined) break;
    before = page.nextCursor;
  }
  const tasks = await scope.call("listTasks", {});
  const progress = [];
  for (const { id } of tasks) progress.push(await scope.call("listTaskProgress", { taskId: id }));
  const outputs = [];
  for (const stream of await scope.call("listOutputStreams", {})) {
    const after = stream.minimumCursor;
    outputs.push({ stream, ...(await scope.call("listOutputValues", { streamId: stream.id, after })) });
  }
  return {
    scope: await scope.call("getScope", {}),
    agents: await scope.call("listAgents", {}),
    links: (await scope.call("listLinks", {})).links,
    linkRequests: (await scope.call("listLinkRequests", {})).linkRequests,
    messages,
    tasks,
    progress,
    escalations: await scope.call("listEscalations", {}),
    publications: await scope.call("listAgentCardPublications", {}),
    outputs,
  };
}

export type Picture = Awaited<ReturnType<typeof pictureOf>>;

function withoutExecution({ executionId: _, lastSeenAt: __, ...agent }: Agent) {
  return agent;
}

/** The same scope as an archive with extensions brings it back: without executions and access, and with nothing put off. */
export function asImported(picture: Picture, nameOf: (principalId: string) => string) {
  const party = (kind: string, id: string) => (kind === "a2aPrincipal" ? nameOf(id) : id);
  const message = ({ retryAt: _, ...rest }: Message) => ({
    ...rest,
    from: party(rest.fromKind, rest.from),
    to: party(rest.toKind, rest.to),
  });
  const entry = <T extends { executionId: string }>(progress: T) => ({ ...progress, executionId: "imported" });
  const task = ({ claimedExecutionId: _, ...one }: Task) => ({ ...one, recentProgress: one.recentProgress.map(entry) });
  return {
    ...picture,
    agents: picture.agents.map(withoutExecution),
    messages: picture.messages.map(message),
    tasks: picture.tasks.map(task),
    progress: picture.progress.map((entries) => entries.map(entry)),
    publications: picture.publications.map((publication) => ({ ...publication, enabled: false })),
  };
}
