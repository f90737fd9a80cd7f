import { type Agent, HUMAN_PARTY } from "../../../../protocol/index.ts";
import { resolvePeer } from "../peers.ts";

/** Who a model means, among those it may message. @throws {IntercomError} NOT_FOUND, or CONFLICT with the ids */
export function peerMeant(peers: readonly Agent[], wanted: string, field: string): string {
  return resolvePeer(
    peers.map(({ id, displayName }) => ({ id, displayName: displayName.trim() })),
    wanted.trim(),
    field,
  );
}

/** Whether a model means the human who owns the scope. No agent can be called so. */
export function isHuman(name: string): boolean {
  return name.trim().toLowerCase() === HUMAN_PARTY;
}
