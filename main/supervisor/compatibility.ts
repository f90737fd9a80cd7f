import { FEATURES, PROTOCOL_VERSION } from "../../protocol/version.ts";
import type { Discovery } from "./ports.ts";
import { type Problem, problems } from "./problems.ts";

/**
 * Why a daemon that somebody else has started cannot be used; undefined when it can. The schema of its data is its own
 * business as long as it runs: we talk to it over the protocol alone.
 */
export function incompatibility({ daemon, features }: Discovery & { readonly state: "running" }): Problem | undefined {
  if (daemon.protocol !== PROTOCOL_VERSION) return problems.otherProtocol(daemon.protocol, PROTOCOL_VERSION);
  const missing = FEATURES.filter((feature) => !features.includes(feature));
  return missing.length > 0 ? problems.lacksFeatures(missing, daemon.version) : undefined;
}
