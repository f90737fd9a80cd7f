import { IntercomError } from "../../protocol/index.ts";
import type { Import } from "./archive-import.ts";
import { principalNo } from "./archive-import-messages.ts";
import { each, ms } from "./archive-import-parts.ts";
import { principalParty } from "./conversations.ts";

interface KnownPublication {
  readonly no: number;
  readonly agentNo: number;
}

interface KnownTask {
  readonly no: number;
  readonly principalId: string;
  readonly agentNo: number;
}

export async function importA2a(work: Import): Promise<void> {
  const publications = await importPublications(work);
  const tasks = await importA2aTasks(work, publications);
  await importA2aMessages(work, tasks);
  await requireAllCorrelated(work);
}

/** A message from outside belongs to a task: its sender could not find it otherwise, and nothing would ever remove it. */
async function requireAllCorrelated(work: Import): Promise<void> {
  const stray = await work.ctx.tx.get<{ id: string }>(
    `SELECT m.id FROM conversations c JOIN messages m ON m.conversation_no = c.no
      WHERE c.scope_no = ? AND c.left_no < -1 AND m.mode = 'request'
        AND NOT EXISTS (SELECT 1 FROM a2a_messages x WHERE x.message_id = m.id) LIMIT 1`,
    work.scopeNo,
  );
  if (stray) throw new IntercomError("INVALID_ARGUMENT", `a2aMessages: expected one for the message ${stray.id}`);
}

/** Publications stay hidden until their owner has looked at them. */
async function importPublications(work: Import): Promise<Map<string, KnownPublication>> {
  const numbers = new Map<string, KnownPublication>();
  const published = new Set<number>();
  for (const { record, fault } of each(work, "agentCardPublications")) {
    const agentNo = fault.agentNo(work, record.agentId, "agentId");
    if (published.has(agentNo)) throw fault.error(`agentId: ${record.agentId} is published twice`);
    published.add(agentNo);
    if (await work.ctx.tx.get("SELECT 1 AS found FROM a2a_publications WHERE id = ?", record.id)) {
      throw new IntercomError(
        "CONFLICT",
        `agentCardPublications: ${record.id} belongs to another scope of this daemon`,
      );
    }
    const row = await work.ctx.tx.get<{ no: number }>(
      `INSERT INTO a2a_publications (id, scope_no, agent_no, enabled, created_at, updated_at)
       VALUES (?, ?, ?, 0, ?, ?) RETURNING no`,
      record.id,
      work.scopeNo,
      agentNo,
      ms(record.createdAt),
      ms(record.updatedAt),
    );
    numbers.set(record.id, { no: (row as { no: number }).no, agentNo });
  }
  return numbers;
}

async function importA2aTasks(
  work: Import,
  publications: ReadonlyMap<string, KnownPublication>,
): Promise<Map<string, KnownTask>> {
  const tasks = new Map<string, KnownTask>();
  for (const { record, fault } of each(work, "a2aTasks")) {
    const publication = publications.get(record.publicationId);
    if (publication === undefined) {
      throw fault.error(`publicationId: ${record.publicationId} is not a publication of the archive`);
    }
    const agentNo = fault.agentNo(work, record.targetAgentId, "targetAgentId");
    if (agentNo !== publication.agentNo) throw fault.error("targetAgentId: expected the agent of the publication");
    const row = await work.ctx.tx.get<{ no: number }>(
      `INSERT INTO a2a_tasks (id, scope_no, context_id, publication_no, principal_no, agent_no, state, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
      record.id,
      work.scopeNo,
      record.contextId,
      publication.no,
      await principalNo(work, record.principalId),
      agentNo,
      record.state,
      ms(record.createdAt),
      ms(record.updatedAt),
    );
    tasks.set(record.id, { no: (row as { no: number }).no, principalId: record.principalId, agentNo });
  }
  return tasks;
}

async function importA2aMessages(work: Import, tasks: ReadonlyMap<string, KnownTask>): Promise<void> {
  const seen = new Set<string>();
  const requests = new Set<string>();
  for (const { record, fault } of each(work, "a2aMessages")) {
    const task = tasks.get(record.taskId);
    if (task?.principalId !== record.principalId)
      throw fault.error(`taskId: ${record.taskId} is not a task of the principal`);
    const key = `${record.principalId} ${record.clientMessageId}`;
    if (seen.has(key)) throw fault.error(`clientMessageId: ${record.clientMessageId} is there twice`);
    seen.add(key);
    const principal = await principalNo(work, record.principalId);
    const request = await work.ctx.tx.get<{ answer: string | null }>(
      `SELECT response_message_id AS answer FROM messages
        WHERE id = ? AND scope_no = ? AND mode = 'request' AND sender_no = ? AND recipient_no = ?`,
      record.busRequestMessageId,
      work.scopeNo,
      principalParty(principal),
      task.agentNo,
    );
    if (!request) throw fault.error("busRequestMessageId: expected a request of the principal to the agent");
    if (requests.has(record.busRequestMessageId)) {
      throw fault.error(`busRequestMessageId: ${record.busRequestMessageId} is there twice`);
    }
    requests.add(record.busRequestMessageId);
    if (request.answer !== (record.busResponseMessageId ?? null)) {
      throw fault.error("busResponseMessageId: expected the answer to the request");
    }
    await work.ctx.tx.run(
      `INSERT INTO a2a_messages (task_no, principal_no, client_message_id, request_hash, message_id, response_message_id,
                                 created_at, updated_at)
       VALUES (?, ?, ?, '', ?, ?, ?, ?)`,
      task.no,
      principal,
      record.clientMessageId,
      record.busRequestMessageId,
      record.busResponseMessageId ?? null,
      ms(record.createdAt),
      ms(record.updatedAt),
    );
  }
}
