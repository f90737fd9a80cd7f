export { type Clock, SystemClock } from "./clock.ts";
export { type Call, Engine } from "./engine.ts";
export { followEvents, newestEventSequence } from "./follow-events.ts";
export { TimeOrderedIds } from "./ids.ts";
