import { CommanderError } from "commander";
import { type ErrorDetails, type ErrorValue, isIntercomError } from "../protocol/index.ts";
import { EXIT, EXIT_OF_ERROR } from "./exit-codes.ts";

/** A failure with its exit code and, where there is one, the next step for the person who reads it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: number;
  readonly hint: string | undefined;
  readonly code: string;
  readonly details: ErrorDetails | undefined;

  constructor(
    message: string,
    options: { exitCode?: number; hint?: string | undefined; code?: string; details?: ErrorDetails | undefined } = {},
  ) {
    super(message);
    this.exitCode = options.exitCode ?? EXIT.failure;
    this.hint = options.hint;
    this.code = options.code ?? "FAILED";
    this.details = options.details;
  }
}

export function usageError(message: string, hint?: string): CliError {
  return new CliError(message, { exitCode: EXIT.usage, code: "USAGE", hint });
}

/** What any thrown thing means to the person at the terminal. Never a stack trace. */
export function toCliError(error: unknown, help = "agent-intercom --help"): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof CommanderError) {
    const message = error.message.replace(/^error: /, "").replaceAll("\n", " ");
    return usageError(sentence(message), `See: ${help}`);
  }
  if (isIntercomError(error)) return fromConnection(error.toValue()) ?? fromProtocol(error.toValue());
  const message = error instanceof Error ? error.message : String(error);
  return new CliError(message || "Something failed without saying why.", {
    hint: "If this looks like a defect, run again with AGENT_INTERCOM_LOG=debug and report what it prints.",
  });
}

export function notRunning(message = "The daemon is not running."): CliError {
  return new CliError(message, {
    exitCode: EXIT.notRunning,
    code: "NOT_RUNNING",
    hint: "Start it with: agent-intercom start",
  });
}

/** Failures between this command and the daemon; the SDK names them in `details.reason`. */
function fromConnection({ code, message, details }: ErrorValue): CliError | undefined {
  if (code !== "INTERNAL") return undefined;
  switch (details?.reason) {
    case "network":
      return notRunning(`${message}.`);
    case "timeout":
      return new CliError("The daemon did not answer in time. What was asked may still have happened.", {
        exitCode: EXIT.timeout,
        code: "TIMEOUT",
        hint: "Look before you repeat it; agent-intercom doctor shows how the daemon is.",
      });
    case "aborted":
      return new CliError("Interrupted.", { exitCode: EXIT.interrupted, code: "INTERRUPTED" });
    case "protocol":
      return new CliError(`What answers at this address is not the Agent Intercom daemon (${message}).`, {
        code: "PROTOCOL",
        hint: "Check --address and AGENT_INTERCOM_ADDRESS; agent-intercom status shows where the daemon listens.",
      });
    default:
      return undefined;
  }
}

function fromProtocol(error: ErrorValue): CliError {
  return new CliError(sentence(error.message), {
    exitCode: EXIT_OF_ERROR[error.code],
    code: error.code,
    details: error.details,
    hint: hintFor(error),
  });
}

function hintFor(error: ErrorValue): string | undefined {
  if (error.code === "UNAUTHENTICATED") {
    return "The credential is no longer valid. Check the AGENT_INTERCOM_*_TOKEN variables, or run: agent-intercom doctor";
  }
  if (error.code === "BACKPRESSURE") return "Wait a moment and try again; agent-intercom status shows what piles up.";
  if (error.code === "CONFLICT" && typeof error.details?.answeredAt === "string") {
    return `It was answered at ${error.details.answeredAt} (${String(error.details.by)}, ${String(error.details.surface)}). The first answer counts.`;
  }
  if (error.code === "NOT_FOUND") return "See what there is with: agent-intercom scope list, agent list or task list";
  if (error.code === "INTERNAL") return "The daemon's log has the cause. agent-intercom doctor shows where it is.";
  return undefined;
}

function sentence(message: string): string {
  // `field: what is wrong` begins with the field's own name.
  const capital = /^[\w.]+: /.test(message) ? message : message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}
