import type { Speak } from "./wording.ts";

const USAGE = { input_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 };

/** Of an answer in `/v1/messages`: blocks, each opened, filled and closed. */
export const answerMessages: Speak = ({ text, calls }, { model }, id) => {
  const blocks = [
    ...(text === undefined
      ? []
      : [{ block: { type: "text", text }, empty: { type: "text", text: "" }, delta: { type: "text_delta", text } }]),
    ...calls.map(({ tool, arguments: input }, index) => {
      const block = { type: "tool_use", id: `toolu_${id}_${index}`, name: tool.name, input };
      const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
      return { block, empty: { ...block, input: {} }, delta };
    }),
  ];
  const end = { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model, usage: USAGE };
  const pieces = [
    { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_sequence: null } },
    ...blocks.flatMap(({ empty, delta }, index) => [
      { type: "content_block_start", index, content_block: empty },
      { type: "content_block_delta", index, delta },
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: end, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  return {
    body: { ...message, content: blocks.map(({ block }) => block), ...end },
    events: pieces.map((data) => ({ event: data.type, data })),
  };
};
