import type { ErrorCode } from "../protocol/index.ts";

/** What the command's exit says to a script. Documented by `agent-intercom help exit-codes`. */
export const EXIT = {
  ok: 0,
  failure: 1,
  usage: 2,
  notRunning: 3,
  notFound: 4,
  conflict: 5,
  denied: 6,
  timeout: 7,
  busy: 8,
  expired: 9,
  cancelled: 10,
  interrupted: 130,
} as const;

export type ExitName = keyof typeof EXIT;

export const EXIT_MEANINGS: Readonly<Record<ExitName, string>> = {
  ok: "Done.",
  failure: "It failed: see the message. `doctor` exits so when a check fails.",
  usage: "The command line or a value in it is wrong.",
  notRunning: "No daemon is running, or it cannot be reached.",
  notFound: "There is no such scope, agent, message, task or question.",
  conflict: "The state does not allow it: already claimed, already answered, not ready, exists already.",
  denied: "The credential is missing, no longer valid, or not allowed to do this.",
  timeout: "What was waited for has not happened in the time given. Waiting again is fine.",
  busy: "A limit is reached for the moment. Try again later.",
  expired: "`ask`: the question expired without an answer.",
  cancelled: "`ask`: the question was taken back.",
  interrupted: "Stopped by Ctrl-C.",
};

export const EXIT_OF_ERROR: Readonly<Record<ErrorCode, number>> = {
  INVALID_ARGUMENT: EXIT.usage,
  UNAUTHENTICATED: EXIT.denied,
  PERMISSION_DENIED: EXIT.denied,
  NOT_FOUND: EXIT.notFound,
  METHOD_NOT_ALLOWED: EXIT.failure,
  CONFLICT: EXIT.conflict,
  BACKPRESSURE: EXIT.busy,
  INTERNAL: EXIT.failure,
};
