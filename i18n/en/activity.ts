/**
 * What happened, as a human tells it. `subject` and attributes that name something are put in as links. An attribute that is
 * absent is the word `none`.
 */
export const activity = {
  "activity.kind": "About",
  "activity.kind.all": "Everything",
  "activity.kind.agent": "Agents",
  "activity.kind.connector": "Connectors",
  "activity.kind.scope": "The scope",
  "activity.kind.link": "Links",
  "activity.kind.message": "Messages",
  "activity.kind.task": "Tasks",
  "activity.kind.escalation": "Questions",
  "activity.kind.credential": "Credentials",
  "activity.kind.output": "Output streams",
  "activity.kind.a2a": "A2A",
  "activity.agent": "Agent",
  "activity.agent.all": "All agents",
  "activity.subject": "Only about {subject}",
  "activity.subject.clear": "Show everything again",
  "activity.new": "{count, plural, one {# new event} other {# new events}}",
  "activity.list": "Events, newest first",
  "activity.older": "Show older events",
  "activity.older.loading": "Reading older events…",
  "activity.end": "This is where the history begins.",
  "activity.sparse": "None among the events looked at so far. There are older ones to look through.",
  "activity.details.of": "Details of: {sentence}",
  "activity.details.type": "Type",
  "activity.details.revision": "Number in its scope",
  "activity.details.id": "Event",
  "activity.details.subject": "Subject",
  "activity.details.time": "Time",
  "activity.details.only": "Only events about this",
  "activity.failed": "The events could not be read",
  "activity.empty.title": "Nothing has happened yet",
  "activity.empty.text":
    "Everything agents do here is written down: who joined, who wrote to whom, what became of tasks and questions. Connect an agent, or run the demo to watch two of them.",
  "activity.none.title": "No event matches",
  "activity.none.text": "Take a filter away to see more.",
  "activity.you": "You",
  "activity.system": "Agent Intercom",
  "activity.task": "a task",
  "activity.message": "a message",
  "activity.question": "a question",

  "activity.event.unknown": "{type}: {subject}",
  "activity.event.agent.registered":
    "{connectorId, select, none {{subject} registered} other {{subject} connected with its MCP client}}",
  "activity.event.agent.lifecycle_changed":
    "{reason, select, retired {{subject} said goodbye} revoked {{subject} was disconnected: its connector was taken back} other {{lifecycle, select, starting {{subject} is starting} ready {{subject} is ready} working {{subject} is working} idle {{subject} is idle} needs_input {{subject} needs you} offline {{subject} went offline} other {{subject} is now: {lifecycle}}}}}",
  "activity.event.agent.profile_changed": "{subject} changed what it says of itself",
  "activity.event.agent.lease_expired": "{subject} has not been heard of for too long and counts as gone",
  "activity.event.agent.removed": "{subject} was taken off the list",
  "activity.event.connector.created": "A connector for {agentName} was issued",
  "activity.event.connector.rotated": "The connector for {agentName} got a new secret",
  "activity.event.connector.revoked":
    "The connector for {agentName} was taken back, which ended {executions, plural, =0 {no session} one {# session} other {# sessions}}",
  "activity.event.scope.created":
    "The scope was made; {linkPolicy, select, open {every agent may write to every other} other {agents write to those they are linked with}}",
  "activity.event.scope.deleted": "The scope {subject} was deleted",
  "activity.event.scope.policy_changed":
    "{linkPolicy, select, open {From now on every agent may write to every other} other {From now on agents write only to those they are linked with}}",
  "activity.event.scope.credentials_rotated":
    "The scope’s credentials were replaced: every session ended and outside credentials were disabled",
  "activity.event.scope.imported": "The scope was brought in from an archive",
  "activity.event.scope.pruned":
    "What was finished before {before} was removed: {messages, plural, one {# message} other {# messages}}, {tasks, plural, one {# task} other {# tasks}}, {escalations, plural, one {# question} other {# questions}}, {events, plural, one {# event} other {# events}}",
  "activity.event.link.created": "{leftAgent} and {rightAgent} can write to each other now",
  "activity.event.link.removed": "{leftAgent} and {rightAgent} are not linked any more",
  "activity.event.link.requested": "{from} asks to be linked with {to}",
  "activity.event.link.request_resolved":
    "The link {from} asked for with {to} was {status, select, accepted {accepted} declined {declined} other {decided}}",
  "activity.event.message.accepted":
    "{fromKind, select, human {You} system {Agent Intercom} other {{from}}} {mode, select, request {asked} response {answered} other {wrote to}} {toKind, select, human {you} other {{to}}}: {subject}",
  "activity.event.message.replied":
    "{fromKind, select, human {You} other {{from}}} answered {subject} from {toKind, select, human {you} other {{to}}}",
  "activity.event.message.reserved": "{to} is fetching {subject} from {fromKind, select, human {you} other {{from}}}",
  "activity.event.message.released":
    "{subject} from {fromKind, select, human {you} other {{from}}} went back into {to}’s inbox unread",
  "activity.event.message.delivered": "{to} got {subject} from {fromKind, select, human {you} other {{from}}}",
  "activity.event.message.acknowledged":
    "{toKind, select, human {You have} other {{to} has}} dealt with {subject} from {fromKind, select, human {you} other {{from}}}",
  "activity.event.message.expired":
    "{subject} from {fromKind, select, human {you} other {{from}}} to {toKind, select, human {you} other {{to}}} ran out of time",
  "activity.event.message.deferred":
    "{to} wants {subject} from {fromKind, select, human {you} other {{from}}} again at {retryAt}",
  "activity.event.message.dead_lettered":
    "{to} could not deal with {subject} from {fromKind, select, human {you} other {{from}}} and set it aside",
  "activity.event.message.requeued":
    "{subject} from {fromKind, select, human {you} other {{from}}} to {toKind, select, human {you} other {{to}}} gets another chance",
  "activity.event.message.withdrawn":
    "{subject} from {fromKind, select, human {you} other {{from}}} to {toKind, select, human {you} other {{to}}} was taken back before it arrived",
  "activity.event.task.created":
    "{createdBy, select, none {You added {subject}} other {{createdByRef} added {subject}}}",
  "activity.event.task.updated": "{subject} was changed",
  "activity.event.task.dependencies_changed":
    "What {subject} depends on was changed: {added, plural, =0 {nothing} other {#}} added, {removed, plural, =0 {nothing} other {#}} removed{ready, select, true {; it can be claimed now} other {}}",
  "activity.event.task.dependency_completed":
    "{dependency} is done, which {ready, select, true {makes {subject} ready} other {brings {subject} closer}}",
  "activity.event.task.dependency_cancelled":
    "{dependency} was called off, so {subject} stays blocked until it is edited",
  "activity.event.task.claimed": "{claimedBy} claimed {subject}",
  "activity.event.task.completed": "{claimedBy} finished {subject}",
  "activity.event.task.released":
    "{reason, select, released {{previousClaimedBy} gave {subject} back} other {{subject} is free again: the session of {previousClaimedBy} ended}}",
  "activity.event.task.cancelled": "{subject} was called off",
  "activity.event.task.progress_added":
    "{kind, select, blocker {{agentId} is held up with {subject}} note {{agentId} noted something on {subject}} other {{agentId} reported progress on {subject}}}",
  "activity.event.escalation.created":
    "{urgency, select, high {{agentId} asks you urgently: {subject}} other {{agentId} asks you: {subject}}}",
  "activity.event.escalation.resolved":
    "{by, select, rule {A rule answered {subject} from {agentId}} other {You answered {subject} from {agentId}}}{late, select, true {, after it had expired} other {}}",
  "activity.event.escalation.cancelled": "{agentId} took {subject} back",
  "activity.event.escalation.expired": "{subject} from {agentId} expired without an answer",
  "activity.event.escalation.deferred": "You put {subject} from {agentId} off until {deferredUntil}",
  "activity.event.escalation.shown":
    "{subject} from {agentId} {verdict, select, shown {was shown to you} seen {was seen by you} dismissed {was dismissed by you} withdrawn {was taken off the screen} digest {was told together with others} os_denied {was not shown: the system does not allow it} failed {could not be shown} other {was not shown}} ({surface, select, tray {tray} window {window} notification {notification} cli {terminal} other {elsewhere}})",
  "activity.event.escalation.answer_read": "{agentId} read your answer to {subject}",
  "activity.event.escalation.answer_withdrawn": "You took your answer to {subject} back before {agentId} read it",
  "activity.event.credential.created": "A credential for the outside was issued",
  "activity.event.credential.rotated": "A credential for the outside got a new secret",
  "activity.event.credential.enabled": "A credential for the outside works again",
  "activity.event.credential.disabled": "A credential for the outside was stopped from working",
  "activity.event.output.stream_created": "The output stream {subject} was opened",
  "activity.event.output.stream_removed": "The output stream {subject} was removed",
  "activity.event.output.publisher_added": "{agentId} may publish to {subject}",
  "activity.event.output.publisher_removed": "{agentId} may no longer publish to {subject}",
  "activity.event.output.published":
    "{producerType, select, agent {{producerId} published to {subject}} other {Somebody outside published to {subject}}}",
  "activity.event.a2a.publication_created": "{agentId} was published to A2A clients",
  "activity.event.a2a.publication_enabled": "{agentId} is shown to A2A clients again",
  "activity.event.a2a.publication_disabled": "{agentId} is hidden from A2A clients",
  "activity.event.a2a.task_created": "An A2A client gave {agentId} a task",
  "activity.event.a2a.message_accepted": "An A2A client wrote to {agentId}: {busMessageId}",
  "activity.event.a2a.task_state_changed":
    "A task of an A2A client is now {state, select, submitted {submitted} working {being worked on} completed {completed} failed {failed} canceled {cancelled} rejected {rejected} other {waiting for input}}",
} as const;
