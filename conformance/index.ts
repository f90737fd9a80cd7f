/** Finds out whether something that listens at an address keeps the protocol. Needs nothing of the target but HTTP. */

export type { Profile, ProtocolName } from "./core/profile.ts";
export type { AdapterCommand, Failure, Outcome, RunOptions } from "./core/run.ts";
export { type Report, runProfile } from "./core/runner.ts";
export type { Exchange } from "./http/client.ts";
export { profileNamed, profiles, suggestedProfiles } from "./profiles/index.ts";
export { type JsonReport, toJson } from "./report/json.ts";
export { toJunit } from "./report/junit.ts";
export { outcomeText, summaryText } from "./report/text.ts";
