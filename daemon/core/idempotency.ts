import { IntercomError, type OperationName } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller, PrincipalCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO, principalParty } from "./conversations.ts";
import { contentHash, fromJson } from "./encoding.ts";

/** Whose keys are remembered. */
export type KeyedCaller = OwnerCaller | AgentCaller | PrincipalCaller;

function actorOf(caller: KeyedCaller): number {
  if (caller.kind === "agent") return caller.agentNo;
  return caller.kind === "principal" ? principalParty(caller.principalNo) : HUMAN_NO;
}

/** For results that repeat their input: a key remembers only the rest, since a repeated call brings its input along. */
export interface Replay<Result> {
  remember(result: Result): unknown;
  /** @param remembered what `remember` gave, after a way through JSON */
  restore(remembered: unknown, input: unknown): Result;
}

/**
 * Runs a call at most once per key: a repeated call gets the first result, in the same transaction as the change it
 * stands for. Keys belong to the agent, to the owner of a scope, or to the holder of a credential. A refusal is not
 * remembered, nor is an empty result: both may be different next time.
 */
export async function once<Result>(
  ctx: Context,
  caller: KeyedCaller,
  call: { readonly operation: OperationName; readonly key: string; readonly input: unknown },
  run: () => Promise<Result>,
  replay?: Replay<Result>,
): Promise<Result> {
  const actorNo = actorOf(caller);
  const requestHash = contentHash([call.operation, call.input]);
  const earlier = await ctx.tx.get<{ requestHash: string; result: string }>(
    "SELECT request_hash AS requestHash, result FROM idempotency WHERE scope_no = ? AND actor_no = ? AND key = ?",
    caller.scope.no,
    actorNo,
    call.key,
  );
  if (earlier) {
    if (earlier.requestHash !== requestHash) {
      throw new IntercomError("CONFLICT", "Idempotency-Key: was used for another call");
    }
    const remembered = fromJson<Result>(earlier.result);
    return replay ? replay.restore(remembered, call.input) : remembered;
  }
  const result = await run();
  if (result !== null) {
    await ctx.tx.run(
      `INSERT INTO idempotency (scope_no, actor_no, key, operation, request_hash, result, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      caller.scope.no,
      actorNo,
      call.key,
      call.operation,
      requestHash,
      JSON.stringify(replay ? replay.remember(result) : result),
      ctx.now,
    );
  }
  return result;
}
