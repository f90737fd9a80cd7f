import type { Speak } from "./wording.ts";

const USAGE = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** Of an answer in `/v1/chat/completions`: deltas of one message, closed by a word that is no JSON. */
export const answerChat: Speak = ({ text, calls }, { model }, id) => {
  const toolCalls = calls.map(({ tool, arguments: args }, index) => ({
    id: `call_${id}_${index}`,
    type: "function",
    function: { name: tool.name, arguments: JSON.stringify(args) },
  }));
  const finish = toolCalls.length > 0 ? "tool_calls" : "stop";
  const common = { id: `chatcmpl_${id}`, created: 0, model };
  const message = {
    role: "assistant",
    content: text ?? null,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
  };
  const piece = (delta: object, reason: string | null = null, more: object = {}) => ({
    data: {
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...more,
    },
  });
  return {
    body: {
      ...common,
      object: "chat.completion",
      choices: [{ index: 0, message, finish_reason: finish }],
      usage: USAGE,
    },
    events: [
      piece({ role: "assistant", content: text ?? "" }),
      ...toolCalls.map((call, index) => piece({ tool_calls: [{ index, ...call }] })),
      piece({}, finish, { usage: USAGE }),
      { data: "[DONE]" },
    ],
  };
};
