import { IntercomError, LIMITS, outputValueProblem } from "../../protocol/index.ts";
import type { Import } from "./archive-import.ts";
import { each, ms } from "./archive-import-parts.ts";

interface KnownStream {
  readonly no: number;
  readonly floor: number;
  readonly sequence: number;
  values: number;
}

export async function importOutputs(work: Import): Promise<void> {
  const streams = await importStreams(work);
  await importValues(work, streams);
  for (const [id, stream] of streams) {
    if (stream.values !== stream.sequence - stream.floor) {
      throw new IntercomError(
        "INVALID_ARGUMENT",
        `outputValues: expected every value of ${id} after its minimumCursor`,
      );
    }
  }
}

async function importStreams(work: Import): Promise<Map<string, KnownStream>> {
  const { ctx } = work;
  const streams = new Map<string, KnownStream>();
  const names = new Set<string>();
  for (const { record, fault } of each(work, "outputStreams")) {
    if (names.has(record.name)) throw fault.error(`name: ${record.name} is there twice`);
    names.add(record.name);
    if (streams.size >= LIMITS.outputStreamsPerScope) {
      throw fault.error(`expected at most ${LIMITS.outputStreamsPerScope} streams`);
    }
    const { minimumCursor: floor, currentSequence: sequence } = record;
    if (sequence < floor || sequence - floor > record.retentionLimit) {
      throw fault.error("currentSequence: expected minimumCursor to minimumCursor + retentionLimit");
    }
    if (await ctx.tx.get("SELECT 1 AS found FROM output_streams WHERE id = ?", record.id)) {
      throw new IntercomError("CONFLICT", `outputStreams: ${record.id} belongs to another scope of this daemon`);
    }
    const row = await ctx.tx.get<{ no: number }>(
      `INSERT INTO output_streams (id, scope_no, name, retention_limit, sequence, floor, created_at, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING no`,
      record.id,
      work.scopeNo,
      record.name,
      record.retentionLimit,
      sequence,
      floor,
      ms(record.createdAt),
      ms(record.updatedAt),
    );
    const { no } = row as { no: number };
    const publishers = new Set(record.publisherAgentIds.map((id) => fault.agentNo(work, id, "publisherAgentIds")));
    if (publishers.size < record.publisherAgentIds.length) throw fault.error("publisherAgentIds: expected each once");
    for (const agentNo of publishers) {
      await ctx.tx.run("INSERT INTO output_publishers (stream_no, agent_no) VALUES (?, ?)", no, agentNo);
    }
    streams.set(record.id, { no, floor, sequence, values: 0 });
  }
  return streams;
}

async function importValues(work: Import, streams: ReadonlyMap<string, KnownStream>): Promise<void> {
  for (const { record, fault } of each(work, "outputValues")) {
    const stream = streams.get(record.streamId);
    if (!stream) throw fault.error(`streamId: ${record.streamId} is not a stream of the archive`);
    if (record.sequence <= stream.floor || record.sequence > stream.sequence) {
      throw fault.error(`sequence: expected ${stream.floor + 1} to ${stream.sequence}`);
    }
    if (record.producerType === "agent") fault.agentNo(work, record.producerId, "producerId");
    const problem = outputValueProblem(record.contentType, record.value);
    if (problem !== undefined) throw fault.error(`value: ${problem}`);
    const found = await work.ctx.tx.get(
      "SELECT 1 AS found FROM output_values WHERE stream_no = ? AND sequence = ?",
      stream.no,
      record.sequence,
    );
    if (found) throw fault.error(`sequence: ${record.sequence} of the stream is there twice`);
    stream.values += 1;
    await work.ctx.tx.run(
      `INSERT INTO output_values (stream_no, sequence, producer_type, producer_id, content_type, value, reference, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      stream.no,
      record.sequence,
      record.producerType,
      record.producerId,
      record.contentType,
      JSON.stringify(record.value),
      record.reference === undefined ? null : JSON.stringify(record.reference),
      ms(record.createdAt),
    );
  }
}
