import { oneOf } from "../fields.ts";
import { identifier, instant } from "../ids.ts";
import {
  answerSource,
  answerSurface,
  escalationKind,
  escalationStatus,
  escalationUrgency,
  noticeSurface,
  noticeVerdict,
} from "../objects/escalation.ts";
import { messageMode, messageState, partyKind } from "../objects/message.ts";
import { progressKind, taskStatus } from "../objects/task.ts";
import { eventDefinition, wholeNumber, yesOrNo } from "./definition.ts";

const delivery = { from: identifier, to: identifier, mode: messageMode, state: messageState };
const message = (when: string) => eventDefinition({ when, subject: "The message.", attributes: delivery });
const claim = { claimedBy: identifier, executionId: identifier, status: taskStatus };
const question = { agentId: identifier, status: escalationStatus };

/** Messages, tasks and questions. */
export const workEvents = {
  "message.accepted": eventDefinition({
    when: "A message was stored. To the human it counts as delivered at once, to an A2A client as acknowledged.",
    subject: "The message.",
    attributes: {
      from: identifier,
      fromKind: partyKind,
      to: identifier,
      toKind: partyKind,
      mode: messageMode,
      state: messageState,
      responseTo: identifier.optional(),
    },
  }),
  "message.replied": eventDefinition({
    when: "A request got its answer. `from` is who answered, `to` who had asked.",
    subject: "The request.",
    attributes: { responseMessageId: identifier, from: identifier, to: identifier },
  }),
  "message.reserved": message("A message was taken out of the inbox."),
  "message.released": message("A reservation was given back, ran out or ended with its execution."),
  "message.delivered": message("A reservation was committed: the recipient has the message."),
  "message.acknowledged": message("The recipient has dealt with the message."),
  "message.expired": message("The message's time ran out before it was acknowledged."),
  "message.deferred": eventDefinition({
    when: "The recipient wants the message again later.",
    subject: "The message.",
    attributes: { ...delivery, retryAt: instant },
  }),
  "message.dead_lettered": message("The recipient cannot deal with the message and set it aside."),
  "message.requeued": message("The owner gave a message that was set aside another chance."),
  "message.withdrawn": eventDefinition({
    when: "A message with an answer was taken back before it was delivered; it does not exist any more.",
    subject: "The message.",
    attributes: { from: identifier, to: identifier, mode: messageMode },
  }),
  "task.created": eventDefinition({
    when: "A task was added. Without `createdBy` by the owner.",
    subject: "The task.",
    attributes: { createdBy: identifier.optional(), status: taskStatus },
  }),
  "task.updated": eventDefinition({
    when: "A task's text, priority or requirements were changed.",
    subject: "The task.",
    attributes: { status: taskStatus },
  }),
  "task.dependencies_changed": eventDefinition({
    when: "Dependencies were added or removed; `ready` says whether the task can be claimed now.",
    subject: "The task.",
    attributes: { added: wholeNumber, removed: wholeNumber, ready: yesOrNo },
  }),
  "task.dependency_completed": eventDefinition({
    when: "A dependency was done; `ready` says whether the task can be claimed now.",
    subject: "The task that waits.",
    attributes: { dependency: identifier, ready: yesOrNo },
  }),
  "task.dependency_cancelled": eventDefinition({
    when: "A dependency was called off: the task stays blocked until it is edited.",
    subject: "The task that waits.",
    attributes: { dependency: identifier },
  }),
  "task.claimed": eventDefinition({
    when: "An execution claimed a task.",
    subject: "The task.",
    attributes: claim,
  }),
  "task.completed": eventDefinition({
    when: "The execution that had claimed a task finished it.",
    subject: "The task.",
    attributes: claim,
  }),
  "task.released": eventDefinition({
    when: "A claim was given back, or ended with its execution; then `cause` says how that ended.",
    subject: "The task.",
    attributes: {
      previousClaimedBy: identifier,
      executionId: identifier,
      reason: oneOf(["released", "execution_expired"]),
      cause: oneOf(["expired", "replaced", "retired", "rotated", "removed", "revoked"]).optional(),
      status: taskStatus,
    },
  }),
  "task.cancelled": eventDefinition({
    when: "A task was called off.",
    subject: "The task.",
    attributes: { previousClaimedBy: identifier.optional(), status: taskStatus },
  }),
  "task.progress_added": eventDefinition({
    when: "The execution that has claimed a task reported on it.",
    subject: "The task.",
    attributes: { agentId: identifier, executionId: identifier, kind: progressKind, sequence: wholeNumber },
  }),
  "escalation.created": eventDefinition({
    when: "An agent asked the human.",
    subject: "The question.",
    attributes: { ...question, kind: escalationKind, urgency: escalationUrgency },
  }),
  "escalation.resolved": eventDefinition({
    when: "A question was answered; `late` says that it had expired before.",
    subject: "The question.",
    attributes: { ...question, by: answerSource, surface: answerSurface, late: yesOrNo },
  }),
  "escalation.deferred": eventDefinition({
    when: "The human put a question off until `deferredUntil`, or brought it back, which is the present then.",
    subject: "The question.",
    attributes: { ...question, deferredUntil: instant },
  }),
  "escalation.shown": eventDefinition({
    when: "A question was to be shown to the human; `verdict` says what came of it.",
    subject: "The question.",
    attributes: { agentId: identifier, surface: noticeSurface, verdict: noticeVerdict },
  }),
  "escalation.answer_read": eventDefinition({
    when: "The agent that asked got the answer for the first time: out of its inbox, or by a call that shows it.",
    subject: "The question.",
    attributes: { ...question, by: oneOf(["inbox", "call"]) },
  }),
  "escalation.answer_withdrawn": eventDefinition({
    when: "An answer was taken back before the agent had read it: the question is pending again.",
    subject: "The question.",
    attributes: question,
  }),
  "escalation.cancelled": eventDefinition({
    when: "The agent took its question back.",
    subject: "The question.",
    attributes: question,
  }),
  "escalation.expired": eventDefinition({
    when: "Nobody answered in time. That is no answer.",
    subject: "The question.",
    attributes: question,
  }),
};
