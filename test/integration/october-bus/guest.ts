import type { OperationInput, OperationName, OperationResult } from "../../../protocol/index.ts";
import { Actor } from "../../support/actors.ts";
import type { TestDaemon } from "../../support/daemon.ts";
import { type Answer, type CallOptions, exchange, Refused, refusalOf, requestFor } from "../../support/http.ts";
import { problemsOf, RESULTS } from "./shapes-0.1.ts";

/** Address of the listener for clients of 0.1. */
export function guestAddress(intercom: TestDaemon): string {
  const address = intercom.daemon.octoberBusAddress;
  if (address === undefined) throw new Error("This daemon has no such listener");
  return address;
}

/** Sends the input of an operation to the listener, and hands back whatever came. */
export function sendAsGuest(
  intercom: TestDaemon,
  name: OperationName,
  input: Readonly<Record<string, unknown>>,
  options: CallOptions,
): Promise<Answer> {
  return exchange(guestAddress(intercom), requestFor(name, input), options);
}

/** A result as 0.1 has it. The fields that only the table knows are missing. */
type GuestResult<N extends OperationName> = OperationResult<N>;

/**
 * Calls an operation of 0.1 through the listener and checks the result by the shapes of 0.1.
 * @throws {Refused} when the daemon refuses
 */
export async function callAsGuest<N extends OperationName>(
  caller: Actor,
  name: N,
  input: OperationInput<N> | Readonly<Record<string, unknown>>,
): Promise<GuestResult<N>> {
  const answer = await sendAsGuest(caller.intercom, name, input as Record<string, unknown>, { token: caller.token });
  if (answer.status >= 400) throw new Refused(name, answer.status, refusalOf(name, answer));
  const { ok, result } = answer.body as { ok?: unknown; result?: unknown };
  const problems = problemsOf(RESULTS[name] as string, result);
  if (ok !== true || problems.length > 0) throw new Error(`${name}: ${problems.join("; ")}: ${JSON.stringify(answer)}`);
  return result as GuestResult<N>;
}

/** Somebody who holds a token and speaks 0.1. */
export class Guest extends Actor {
  override call<N extends OperationName>(
    name: N,
    input: OperationInput<N> | Readonly<Record<string, unknown>>,
  ): Promise<GuestResult<N>> {
    return callAsGuest(this, name, input);
  }
}
