import { type Agent, IntercomError } from "../../../protocol/index.ts";

/**
 * Finds the agent a model means: by exact id, else by a display name that only one peer has, whatever its case.
 * @throws {IntercomError} NOT_FOUND, or CONFLICT naming the ids when several peers share the name
 */
export function resolvePeer(
  peers: readonly Pick<Agent, "id" | "displayName">[],
  wanted: string,
  field = "peer",
): string {
  if (peers.some(({ id }) => id === wanted)) return wanted;
  const name = wanted.toLowerCase();
  const ids = peers.filter(({ displayName }) => displayName.toLowerCase() === name).map(({ id }) => id);
  const [only] = ids;
  if (only === undefined) {
    throw new IntercomError("NOT_FOUND", `${field}: no peer has the id or display name ${JSON.stringify(wanted)}`);
  }
  if (ids.length > 1) {
    throw new IntercomError(
      "CONFLICT",
      `${field}: several peers are called ${JSON.stringify(wanted)}: ${ids.join(", ")}`,
      {
        ids,
      },
    );
  }
  return only;
}
