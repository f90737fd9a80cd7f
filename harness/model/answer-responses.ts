import type { Speak } from "./wording.ts";

const USAGE = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

interface Piece extends Record<string, unknown> {
  readonly type: string;
}

interface Item extends Piece {
  readonly id: string;
}

/** Of an answer in `/v1/responses`: items, each announced and then complete. */
export const answerResponses: Speak = ({ text, calls }, { model }, id) => {
  const items: Item[] = calls.map(({ tool, arguments: args }, index) => ({
    type: "function_call",
    id: `fc_${id}_${index}`,
    call_id: `call_${id}_${index}`,
    status: "completed",
    name: tool.name,
    arguments: JSON.stringify(args),
    ...(tool.namespace === undefined ? {} : { namespace: tool.namespace }),
  }));
  if (text !== undefined) {
    const content = [{ type: "output_text", text, annotations: [] }];
    items.unshift({ type: "message", id: `msg_${id}`, status: "completed", role: "assistant", content });
  }
  const response = { id: `resp_${id}`, object: "response", created_at: 0, status: "completed", model };
  const body = { ...response, output: items, usage: USAGE, parallel_tool_calls: true, tool_choice: "auto", tools: [] };
  const pieces: Piece[] = [
    { type: "response.created", response: { ...body, status: "in_progress", output: [], usage: null } },
    ...items.flatMap((item, index) => piecesOf(item, index, text ?? "")),
    { type: "response.completed", response: body },
  ];
  return {
    body,
    events: pieces.map((piece, at) => ({ event: piece.type, data: { ...piece, sequence_number: at } })),
  };
};

function piecesOf(item: Item, index: number, text: string): Piece[] {
  const place = { output_index: index };
  const added = { type: "response.output_item.added", ...place, item: { ...item, status: "in_progress" } };
  const done = { type: "response.output_item.done", ...place, item };
  if (item.type !== "message") return [added, done];
  const part = { ...place, item_id: item.id, content_index: 0 };
  return [
    added,
    { type: "response.output_text.delta", ...part, delta: text },
    { type: "response.output_text.done", ...part, text },
    done,
  ];
}
