import type { Profile, ProtocolName } from "../core/profile.ts";
import { agentIntercom1 } from "./agent-intercom-1/profile.ts";
import { local01 } from "./local-0.1/profile.ts";
import { mcpAdapter01 } from "./mcp-adapter-0.1/profile.ts";

export const profiles: readonly Profile[] = [local01, mcpAdapter01, agentIntercom1];

export function profileNamed(name: string): Profile | undefined {
  return profiles.find((profile) => profile.name === name);
}

/**
 * The profiles to run when nobody names any: those of the protocols a target speaks, and those about adapters when there is
 * one to look at. Whatever gives itself another name than `agent-intercom` is taken for an implementation of October Bus.
 * @param names what its listeners call themselves in `/health`
 */
export function suggestedProfiles(names: readonly string[], hasAdapter: boolean): readonly Profile[] {
  const spoken = names.map((name): ProtocolName => (name === "agent-intercom" ? name : "october-bus"));
  return profiles.filter(({ protocol, needsAdapter }) => (needsAdapter ? hasAdapter : spoken.includes(protocol)));
}
