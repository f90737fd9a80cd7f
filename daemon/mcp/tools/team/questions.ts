import { z } from "zod";
import { type Escalation, escalationStatus, operations } from "../../../../protocol/index.ts";
import { describeFields } from "../../operation-tool.ts";
import { clip, jsonLength, pieceOf } from "../../result-room.ts";
import type { ToolContext } from "../../tool.ts";
import { forgivingTool, NEXT } from "../shared/forgiving-tool.ts";

const asked = operations.askHuman.input.shape;
const { escalationId, waitMs } = operations.getEscalation.input.shape;

/** Room for the question, which the model knows, for the answer, and for what comes with it, characters of JSON. */
const QUESTION_ROOM = 400;
const ANSWER_ROOM = 6_000;
const NOTE_ROOM = 2_000;
const WAIT = "Milliseconds to wait for the answer, up to 25000; absent: not at all.";

const questionView = z.object({
  questionId: z.string(),
  status: escalationStatus,
  question: z.string(),
  options: z.array(z.string()).optional(),
  answer: z.string().optional().meta({ description: "The human's words." }),
  truncated: z
    .object({ shownCharacters: z.int(), totalCharacters: z.int() })
    .optional()
    .meta({ description: "The answer is longer; the message from human in the inbox has all of it." }),
  note: z.string().optional().meta({ description: "What the human wants you to mind besides the answer." }),
  late: z.boolean().optional().meta({ description: "It came after the question had expired." }),
  expiresAt: z.string().optional(),
  deferredUntil: z.string().optional().meta({ description: "The human has put the question off until then." }),
  next: z.string().meta({ description: NEXT }),
});

const NEXT_BY_STATUS: Readonly<Record<Escalation["status"], string>> = {
  pending:
    "Not answered yet. Go on with what does not depend on it; look later with check_question and this questionId, or find " +
    "the answer in check_inbox. Do not assume an answer.",
  resolved: "Act on the answer.",
  expired: "Nobody answered in time. That is no permission: choose what is safe without it, or ask again.",
  cancelled: "The question was taken back; there will be no answer.",
};

const NEXT_IF_DEFERRED =
  "The human has put the question off until deferredUntil. Go on with what does not depend on it; the answer will come with " +
  "check_inbox, and check_question with this questionId shows it. Do not assume an answer.";

/** A question as a model gets it. */
export function viewQuestion(question: Escalation): z.output<typeof questionView> {
  const { id: questionId, status, answer, resolution, expiresAt } = question;
  const deferredUntil = status === "pending" ? question.deferredUntil : undefined;
  const options = question.options.map((option) => clip(option, QUESTION_ROOM / 2));
  const view = {
    questionId,
    status,
    question: clip(question.question, QUESTION_ROOM),
    ...(options.length === 0 ? {} : { options }),
    ...(resolution?.note ? { note: clip(resolution.note, NOTE_ROOM) } : {}),
    ...(resolution?.late ? { late: true } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    ...(deferredUntil === undefined ? {} : { deferredUntil }),
    next: deferredUntil === undefined ? NEXT_BY_STATUS[status] : NEXT_IF_DEFERRED,
  };
  if (answer === undefined) return view;
  if (jsonLength(answer) <= ANSWER_ROOM) return { ...view, answer };
  const piece = pieceOf(answer, 0, ANSWER_ROOM);
  return { ...view, answer: piece.text, truncated: { shownCharacters: piece.end, totalCharacters: answer.length } };
}

export const askHuman = forgivingTool({
  name: "ask_human",
  title: "Ask the human",
  description:
    "Ask the human who owns this scope what only a human may decide: permissions, irreversible steps, choices of direction. " +
    "Not for what you can find out yourself or another agent knows. Returns a ticket at once, or with waitMs the answer if " +
    "it comes in time. The question stays open until it is answered, taken back or expires.",
  input: z.strictObject({
    ...describeFields(asked, {
      question: "The question with what the human needs to decide it, at most 4000 bytes.",
      options: "Two to four answers to choose from, if there are such.",
      urgency: "low, normal (the default) or high.",
      expiresInMs: "Milliseconds after which the question lapses, 1000 at least; absent: never.",
      context: "Files, links or texts the human should see.",
    }),
    waitMs: waitMs.meta({ description: WAIT }),
  }),
  output: questionView,
  next: { BACKPRESSURE: "Wait until the human has answered some of the open questions." },
  async run({ waitMs = 0, ...question }, { call, inline }) {
    const asked = inline?.asked;
    const ticket =
      asked === undefined ? await call("askHuman", question) : await call("getEscalation", { escalationId: asked });
    if (waitMs === 0) return viewQuestion(ticket);
    return viewQuestion(inline ? await inline.answerTo(ticket, waitMs) : await waitForAnswer(ticket.id, waitMs, call));
  },
});

async function waitForAnswer(escalationId: string, waitMs: number, call: ToolContext["call"]): Promise<Escalation> {
  return call("getEscalation", { escalationId, waitMs });
}

export const checkQuestion = forgivingTool({
  name: "check_question",
  title: "Check a question",
  description:
    "Look whether the human has answered a question of yours, wait for the answer with waitMs, or take the question back " +
    "with cancel when it has become pointless.",
  idempotent: true,
  input: z.strictObject({
    questionId: escalationId.meta({ id: undefined, description: "Id of the question, as ask_human returned it." }),
    waitMs: waitMs.meta({ description: WAIT }),
    cancel: z
      .boolean({ error: "expected true or false" })
      .optional()
      .meta({ description: "true: take the question back, unless it has been answered." }),
  }),
  output: questionView,
  next: { NOT_FOUND: "Call whoami to see which of your questions are open." },
  async run({ questionId, waitMs = 0, cancel = false }, { call }) {
    const question = await call("getEscalation", { escalationId: questionId });
    if (cancel && question.status === "pending")
      return viewQuestion(await call("cancelEscalation", { escalationId: questionId }));
    return viewQuestion(
      question.status === "pending" && waitMs > 0 ? await waitForAnswer(questionId, waitMs, call) : question,
    );
  },
});
