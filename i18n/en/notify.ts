/** Notifications of the operating system. */
export const notify = {
  "notify.answered.cancelled": "The agent has taken its question back",
  "notify.answered.elsewhere":
    "It was answered already, {surface, select, tray {from the tray} window {in a window} notification {from a notification} cli {on the command line} client {in the agent's own program} other {by another program}}",
  "notify.answered.failed": "The answer did not get through: {reason}",
  "notify.answered.gone": "The question is gone",
  "notify.answered.late": "Your answer came after the question had expired; the agent gets it as late",
  "notify.answered.title": "Question of {who}",
  "notify.deferred.failed": "The question could not be put off: {reason}",
  "notify.digest.again":
    "{count, plural, one {# question came in} other {# questions came in}} while notifications were paused",
  "notify.digest.body": "Choose this to see {count, plural, one {it} other {them}}.",
  "notify.digest.title":
    "{count, plural, one {# question} other {# questions}} from {agents, plural, one {# agent} other {# agents}}",
  "notify.hidden.body": "Choose this to see the question.",
  "notify.hidden.title": "An agent asks you something",
  "notify.reply": "Your answer",
  "notify.title": "{who} asks",
  "notify.title.again": "{who} still waits",
  "notify.title.urgent": "Urgent: {who} asks",
} as const;
