import { activity } from "./activity.ts";
import { common } from "./common.ts";

/** Every text, by key. English is the source: other catalogues have exactly its keys. */
export const en = { ...common, ...activity } as const;
