// Agent programs run against a scripted model, without a person at them: what the doctor checks clients with.
export { type Evidence, isGood, readEvidence, writeEvidence } from "./evidence.ts";
export { NotStartable } from "./process.ts";
export { findProgramOf, programs } from "./programs/index.ts";
export type { Program } from "./programs/program.ts";
export { roundTrip } from "./round-trip/round-trip.ts";
export { versionOf } from "./version.ts";
