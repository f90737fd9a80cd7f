/** The tools of October Bus 0.1, no more and no fewer. */
export const BUS_TOOLS = [
  "list_peers",
  "message_peer",
  "check_inbox",
  "acknowledge_messages",
  "message_receipt",
  "add_task",
  "claim_task",
  "release_task",
  "complete_task",
  "add_task_progress",
  "list_task_progress",
  "list_tasks",
  "publish_output",
  "ask_user",
  "get_node_status",
] as const;

export type BusTool = (typeof BUS_TOOLS)[number];
