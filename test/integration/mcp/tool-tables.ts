/** A tool as clients count on it: its name, its required and its optional arguments. */
export type ToolRow = readonly [name: string, required: readonly string[], optional: readonly string[]];

export interface SetTable {
  readonly set: "team" | "bus" | "intercom";
  readonly tools: readonly ToolRow[];
  /** Tools that change nothing, and those that change nothing more when they are called again. */
  readonly reading: readonly string[];
  readonly repeatable: readonly string[];
  /** Tools that clients keep ready although they load others only on demand. */
  readonly always: readonly string[];
  /** A word the instructions cannot do without. */
  readonly manners: string;
}

/** The tools of October Bus 0.1; its clients count on exactly these. */
const BUS: SetTable = {
  set: "bus",
  tools: [
    ["list_peers", [], []],
    ["message_peer", ["peer", "message"], ["mode", "responseTo", "idempotencyKey", "expiresInMs", "context"]],
    ["check_inbox", [], ["limit", "waitMs"]],
    ["acknowledge_messages", ["messageIds"], []],
    ["message_receipt", ["messageId"], []],
    ["add_task", ["title"], ["description", "dependencies"]],
    ["claim_task", ["taskId"], []],
    ["release_task", ["taskId"], []],
    ["complete_task", ["taskId"], ["note"]],
    ["add_task_progress", ["taskId", "kind", "text"], []],
    ["list_task_progress", ["taskId"], []],
    ["list_tasks", [], ["ready"]],
    ["publish_output", ["streamId", "contentType", "value"], ["reference"]],
    ["ask_user", ["question"], ["options"]],
    ["get_node_status", [], []],
  ],
  reading: ["list_peers", "message_receipt", "list_task_progress", "list_tasks", "get_node_status"],
  repeatable: ["acknowledge_messages", "claim_task", "release_task", "complete_task"],
  always: [],
  manners: "check_inbox",
};

const TEAM: SetTable = {
  set: "team",
  tools: [
    ["whoami", [], []],
    ["set_summary", ["summary"], []],
    ["list_agents", [], ["cursor"]],
    ["request_link", ["agent"], ["reason"]],
    ["send_message", ["text"], ["to", "expectsReply", "replyTo", "idempotencyKey", "context"]],
    ["check_inbox", [], ["limit", "waitMs"]],
    ["acknowledge_messages", ["messageIds"], []],
    ["read_messages", [], ["messageId", "offset", "with", "text", "cursor"]],
    ["list_tasks", [], ["status", "mine", "ready", "cursor"]],
    ["get_task", ["taskId"], ["cursor"]],
    ["add_task", ["title"], ["description", "dependencies"]],
    ["claim_task", [], ["taskId"]],
    ["report_progress", ["taskId", "text"], ["blocker"]],
    ["finish_task", ["taskId"], ["outcome", "note"]],
    ["ask_human", ["question"], ["options", "urgency", "expiresInMs", "context", "waitMs"]],
    ["check_question", ["questionId"], ["waitMs", "cancel"]],
  ],
  reading: ["whoami", "list_agents", "read_messages", "list_tasks", "get_task"],
  repeatable: ["set_summary", "request_link", "acknowledge_messages", "finish_task", "check_question"],
  always: ["whoami", "list_agents", "send_message", "check_inbox", "acknowledge_messages"],
  manners: "check_inbox",
};

const INTERCOM: SetTable = {
  set: "intercom",
  tools: [
    ["intercom_whoami", [], []],
    ["intercom_team", [], ["cursor"]],
    ["intercom_status", [], []],
    ["intercom_list", [], ["cursor"]],
    ["intercom_set_summary", ["summary"], []],
    ["intercom_send", ["to", "message"], []],
    ["intercom_ask", ["to", "message"], ["timeout_ms"]],
    ["intercom_pending", [], []],
    ["intercom_reply", ["message"], ["to", "which"]],
  ],
  reading: ["intercom_whoami", "intercom_team", "intercom_status", "intercom_list"],
  repeatable: ["intercom_set_summary"],
  always: ["intercom_whoami", "intercom_send", "intercom_ask", "intercom_pending"],
  manners: "intercom_pending",
};

/** Every set there is; the first is what a client gets without asking. */
export const SET_TABLES: readonly SetTable[] = [TEAM, BUS, INTERCOM];
