/** Words that more than one view uses. */
export const common = {
  "app.name": "Agent Intercom",
  "common.cancel": "Cancel",
  "common.close": "Close",
  "common.copied": "Copied",
  "common.copy": "Copy",
  "common.retry": "Try again",
  "common.undo": "Undo",
} as const;
