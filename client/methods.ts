import {
  type Authority,
  type Operation,
  type OperationInput,
  type OperationName,
  type OperationResult,
  type Operations,
  operationNames,
  operationOf,
} from "../protocol/index.ts";
import type { CallOptions, Transport } from "./transport.ts";

/** One call: `(input, options?)`, with the input optional where every field is. */
export type OperationMethod<N extends OperationName> =
  Record<never, never> extends OperationInput<N>
    ? (input?: OperationInput<N>, options?: CallOptions) => Promise<OperationResult<N>>
    : (input: OperationInput<N>, options?: CallOptions) => Promise<OperationResult<N>>;

/** Operations that answer with a stream or as another protocol has it: no plain method can serve them. */
type Streamed = "watchAllEvents" | "backup" | "getAgentCard" | "sendA2aMessage" | "getA2aTask";

const PLAIN_FRAMINGS: readonly Operation["framing"][] = ["envelope", "bare"];

/** A method for each operation that a holder of one of these authorities may call. */
export type OperationMethods<A extends Authority> = {
  readonly [N in keyof Operations as N extends Streamed
    ? never
    : Operations[N]["authority"] extends A
      ? N
      : never]: OperationMethod<N>;
};

/**
 * A base class with the methods of the given authorities, made from the operation table.
 * They are bound, so they may be taken off the object.
 */
export function operationsFor<const A extends Authority>(
  ...authorities: readonly A[]
): new (
  transport: Transport,
) => OperationMethods<A | "none"> {
  const allowed = new Set<Authority>([...authorities, "none"]);
  const names = operationNames.filter((name) => {
    const op = operationOf(name);
    return PLAIN_FRAMINGS.includes(op.framing) && allowed.has(op.authority);
  });
  class OperationClient {
    constructor(transport: Transport) {
      for (const name of names) {
        const value = (input?: unknown, options?: CallOptions) => transport.call(name, (input ?? {}) as never, options);
        Object.defineProperty(this, name, { value, enumerable: true });
      }
    }
  }
  return OperationClient as unknown as new (
    transport: Transport,
  ) => OperationMethods<A | "none">;
}
