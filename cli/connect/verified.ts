import { resolveDirectories } from "../../daemon/runtime/paths.ts";
import { findProgramOf, isGood, readEvidence } from "../../harness/index.ts";
import type { Invocation } from "../command.ts";

/** What may be claimed of a client on this machine, because a round trip with its program has shown it. */
export interface Verified {
  readonly version: string;
  /** When, RFC 3339. */
  readonly date: string;
}

/** Clients whose latest round trip went well, by id. */
export function verifiedClients({ io, options }: Invocation): Map<string, Verified> {
  const { dataDir } = resolveDirectories({ env: io.env, runtimeDir: options.runtimeDir });
  const good = [...readEvidence(dataDir).values()].filter(isGood);
  return new Map(good.map(({ client, clientVersion: version, date }) => [client, { version, date }]));
}

/** `0.171.0 on 2026-05-01` */
export function verifiedText({ version, date }: Verified): string {
  return `${version} on ${date.slice(0, 10)}`;
}

/** How to find out, for clients whose program can be run without a person. */
export function howToVerify(client: string): string | undefined {
  return findProgramOf(client) && `agent-intercom doctor --harness ${client}`;
}
