import { IntercomError, type OperationName } from "../../protocol/index.ts";
import type { AgentCaller, OwnerCaller } from "./caller.ts";
import type { Context } from "./context.ts";
import { HUMAN_NO } from "./conversations.ts";
import { contentHash, fromJson } from "./encoding.ts";

/**
 * Runs a call at most once per key: a repeated call gets the first result, in the same transaction as the change it
 * stands for. Keys belong to the agent or to the owner of a scope. A refusal is not remembered, nor is an empty result:
 * both may be different next time.
 */
export async function once<Result>(
  ctx: Context,
  caller: OwnerCaller | AgentCaller,
  call: { readonly operation: OperationName; readonly key: string; readonly input: unknown },
  run: () => Promise<Result>,
): Promise<Result> {
  const actorNo = caller.kind === "agent" ? caller.agentNo : HUMAN_NO;
  const requestHash = contentHash([call.operation, call.input]);
  const earlier = await ctx.tx.get<{ requestHash: string; result: string }>(
    "SELECT request_hash AS requestHash, result FROM idempotency WHERE scope_no = ? AND actor_no = ? AND key = ?",
    caller.scope.no,
    actorNo,
    call.key,
  );
  if (earlier) {
    if (earlier.requestHash === requestHash) return fromJson<Result>(earlier.result);
    throw new IntercomError("CONFLICT", "Idempotency-Key: was used for another call");
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
      JSON.stringify(result),
      ctx.now,
    );
  }
  return result;
}
