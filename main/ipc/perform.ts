import { failure } from "../../client/failure.ts";
import type { AdminClient } from "../../client/index.ts";
import type { UiOperation } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import type { OperationInput, OperationResult } from "../../protocol/index.ts";
import { operationOf } from "../../protocol/operations/index.ts";
import { parseInput } from "../../protocol/parse.ts";

export interface UiCall<N extends UiOperation> {
  readonly operation: N;
  readonly input: OperationInput<N>;
  readonly scopeId?: string | undefined;
}

/**
 * Performs an operation as the human, in the name of the desktop's own credential.
 * @throws {IntercomError} Also INTERNAL with `details.reason` `network` while there is no daemon
 */
export async function performForHuman<N extends UiOperation>(
  admin: AdminClient | undefined,
  { operation, input, scopeId }: UiCall<N>,
): Promise<OperationResult<N>> {
  const { authority, input: schema } = operationOf(operation);
  parseInput(schema, input);
  if (!admin) throw failure("network", "The daemon is not running.");
  const isDaemonWide = authority === "admin" || authority === "none";
  if (!isDaemonWide && scopeId === undefined) {
    throw new IntercomError("INVALID_ARGUMENT", `scopeId: is required for ${operation}`);
  }
  const client = scopeId === undefined || isDaemonWide ? admin : admin.scope(scopeId);
  const methods = client as unknown as Readonly<Record<string, (input: unknown) => Promise<OperationResult<N>>>>;
  const method = methods[operation];
  if (!method) throw new IntercomError("METHOD_NOT_ALLOWED", `${operation} cannot be called by a window`);
  return await method(input);
}
