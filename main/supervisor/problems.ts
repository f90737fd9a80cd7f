import type { SupervisorView } from "../../protocol/desktop/index.ts";
import type { ErrorValue } from "../../protocol/index.ts";
import type { ChildExit } from "./ports.ts";

export type Problem = NonNullable<SupervisorView["problem"]>;

/** What is wrong with the daemon and what the human can do, each with a stable `details.reason`. */
export const problems = {
  untrusted: (reason: string): Problem => ({
    code: "PERMISSION_DENIED",
    message: `The daemon's run file cannot be trusted: ${reason}.`,
    details: { reason: "untrusted_run_file" },
    advice: "Find out who made it and remove it, then start the daemon again.",
  }),
  otherProtocol: (theirs: string, ours: string): Problem => ({
    code: "CONFLICT",
    message: `The daemon that runs speaks protocol ${theirs}, this app ${ours}.`,
    details: { reason: "other_protocol", theirs, ours },
    advice: "Stop it with `agent-intercom stop`, and this app starts its own. Or update whichever of the two is older.",
  }),
  otherVersion: (theirs: string, ours: string): Problem => ({
    code: "CONFLICT",
    message: `The daemon that was started is version ${theirs}, this app ${ours}.`,
    details: { reason: "other_version", theirs, ours },
    advice:
      "The app was replaced while it ran, or only in part. Quit it and start it again; if that does not help, install it again.",
  }),
  lacksFeatures: (missing: readonly string[], version: string): Problem => ({
    code: "CONFLICT",
    message: `The daemon that runs is version ${version}, and too old for this app: it lacks ${missing.join(", ")}.`,
    details: { reason: "lacks_features", missing, version },
    advice: "Stop it with `agent-intercom stop`, and this app starts its own. No data is lost.",
  }),
  silent: (): Problem => ({
    code: "INTERNAL",
    message: "The daemon does not answer.",
    details: { reason: "silent" },
    advice: "It may be busy: waiting does no harm. Restarting ends it; what was accepted is on disk.",
  }),
  storage: (): Problem => ({
    code: "INTERNAL",
    message: "The daemon cannot get at its data.",
    details: { reason: "storage" },
    advice: "See whether the disk is full or was taken away. The daemon goes on by itself once it can.",
  }),
  notStarted: (why: string): Problem => ({
    code: "INTERNAL",
    message: `The daemon could not be started: ${why}`,
    details: { reason: "not_started" },
  }),
  startTimeout: (): Problem => ({
    code: "INTERNAL",
    message: "The daemon did not become ready in time.",
    details: { reason: "start_timeout" },
  }),
  ended: ({ code, reason }: ChildExit): Problem => ({
    code: "INTERNAL",
    message: `The daemon has ended unexpectedly (${reason ?? `exit code ${code ?? "unknown"}`}).`,
    details: {
      reason: "crashed",
      ...(code === undefined ? {} : { exitCode: code }),
      ...(reason ? { cause: reason } : {}),
    },
  }),
  stoppedByOthers: (): Problem => ({
    code: "CONFLICT",
    message: "The daemon was stopped by somebody else, for instance with `agent-intercom stop`.",
    details: { reason: "stopped_by_others" },
    advice: "Start it here, or with `agent-intercom start`.",
  }),
  refused: (error: ErrorValue): Problem => {
    const advice = ADVICE[String(error.details?.reason)];
    return { ...error, ...(advice ? { advice } : {}) };
  },
};

const ADVICE: Readonly<Record<string, string>> = {
  already_running: "It is looked for again in a moment. If it stays so, stop the other daemon.",
  port_taken: "Close the other program, or write another port into the daemon's settings file.",
  settings: "Correct the settings file that is named, then start the daemon again.",
  storage_full: "Make room on the disk; the daemon is started again by itself.",
};

/** True where trying again without any change can only fail again. */
export function isFinal({ code }: ErrorValue): boolean {
  return code === "INVALID_ARGUMENT" || code === "PERMISSION_DENIED";
}

/** True where the data is of a newer version than this app. */
export function isFromTheFuture({ code, details }: ErrorValue): boolean {
  return code === "CONFLICT" && typeof details?.schema === "number" && typeof details.supported === "number";
}

/** True where another daemon is the problem, so that its end is the end of the problem. */
export function isInTheWay({ details }: ErrorValue): boolean {
  return details?.reason === "other_protocol" || details?.reason === "lacks_features";
}
