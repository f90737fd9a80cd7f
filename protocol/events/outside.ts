import { z } from "zod";
import { oneOf } from "../fields.ts";
import { identifier } from "../ids.ts";
import { A2A_TASK_STATES } from "../objects/a2a.ts";
import { outputContentType } from "../objects/output.ts";
import { eventDefinition, wholeNumber, yesOrNo } from "./definition.ts";

const permissions = z
  .string()
  .regex(/^(read|publish)(,(read|publish))?$/)
  .meta({ "x-form": "permissions, separated by a comma" });
const credential = (when: string) =>
  eventDefinition({
    when,
    subject: "The credential.",
    attributes: {
      resourceType: oneOf(["a2aPublication", "outputStream"]),
      resourceId: identifier,
      // Of an output stream only: an A2A credential has one use.
      permissions: permissions.optional(),
      enabled: yesOrNo,
    },
  });
const publication = (when: string) =>
  eventDefinition({ when, subject: "The publication.", attributes: { agentId: identifier, enabled: yesOrNo } });
const publisher = (when: string) =>
  eventDefinition({ when, subject: "The output stream.", attributes: { agentId: identifier } });
const a2aTaskState = oneOf(A2A_TASK_STATES);

/** Credentials for those outside the scope, and what they are for. */
export const outsideEvents = {
  "credential.created": credential("A credential was issued."),
  "credential.rotated": credential("A credential's secret was replaced."),
  "credential.enabled": credential("A credential works again."),
  "credential.disabled": credential("A credential was stopped from working."),
  "output.stream_created": eventDefinition({
    when: "A stream was opened.",
    subject: "The output stream.",
    attributes: { retentionLimit: wholeNumber },
  }),
  "output.stream_removed": eventDefinition({
    when: "A stream was removed with its values and credentials.",
    subject: "The output stream.",
    attributes: {},
  }),
  "output.publisher_added": publisher("An agent was allowed to publish."),
  "output.publisher_removed": publisher("An agent may no longer publish."),
  "output.published": eventDefinition({
    when: "A value was published.",
    subject: "The output stream.",
    attributes: {
      sequence: wholeNumber,
      producerType: oneOf(["agent", "principal"]),
      producerId: identifier,
      contentType: outputContentType,
    },
  }),
  "a2a.publication_created": publication("An agent was published to A2A clients."),
  "a2a.publication_enabled": publication("A publication is shown again."),
  "a2a.publication_disabled": publication("A publication was hidden, by its owner or because its agent was removed."),
  "a2a.task_created": eventDefinition({
    when: "An A2A client's message began a task.",
    subject: "The A2A task.",
    attributes: { publicationId: identifier, agentId: identifier, state: a2aTaskState },
  }),
  "a2a.message_accepted": eventDefinition({
    when: "An A2A client's message was stored as a request to the published agent.",
    subject: "The A2A task.",
    attributes: { publicationId: identifier, agentId: identifier, busMessageId: identifier },
  }),
  "a2a.task_state_changed": eventDefinition({
    when: "An A2A task came into another state.",
    subject: "The A2A task.",
    attributes: { publicationId: identifier, state: a2aTaskState },
  }),
};
