import { calls, type Script, says } from "../model/script.ts";

/** What is said in a round trip; each text is unlike any other, so that finding it proves something. */
export interface Texts {
  readonly request: string;
  readonly question: string;
  readonly reply: string;
  readonly answer: string;
}

export function textsOf(nonce: string): Texts {
  return {
    request: `Round trip ${nonce}: what do you say?`,
    question: `Round trip ${nonce}: first tell me what you can see.`,
    reply: `Round trip ${nonce}: I can see you.`,
    answer: `Round trip ${nonce}: then all is well.`,
  };
}

/** The tools a round trip needs. */
export const NEEDED_TOOLS = ["list_agents", "send_message", "check_inbox", "acknowledge_messages"] as const;
/** Longer than the counterpart ever takes, shorter than any client's patience. */
const WAIT_MS = 20_000;

/**
 * The program's side: it finds the counterpart, asks it something, is asked back, replies, and gets its answer. It deals
 * with one message at a time and acknowledges each.
 */
export function roundTripScript(counterpart: string, texts: Texts): Script {
  const inbox = calls("check_inbox", { waitMs: WAIT_MS });
  const acknowledge = calls("acknowledge_messages", { messageIds: ["{{check_inbox.messages.0.id}}"] });
  return {
    rules: [
      calls("list_agents"),
      calls("send_message", { to: counterpart, text: texts.request, expectsReply: true }),
      inbox,
      calls("send_message", { replyTo: "{{check_inbox.messages.0.id}}", text: texts.reply }),
      acknowledge,
      inbox,
      acknowledge,
      says("The round trip is over."),
    ],
  };
}
