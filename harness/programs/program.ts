import type { Place } from "../place.ts";

/** How to run one client's program without a person at it, with a scripted model behind it. */
export interface Program {
  /** Its client's id in `connect/`. */
  readonly client: string;
  /** Versions this was seen to work with. */
  readonly seenWith: string;
  /** Variables that point it to its place and to the model, and keep it from updates and telemetry. */
  environment(place: Place, modelUrl: string): Readonly<Record<string, string>>;
  /** Files to be there before our server is added to its configuration: path and content. */
  files(place: Place, modelUrl: string): Readonly<Record<string, string>>;
  /** Arguments that have it do what `prompt` says, use our tools unasked, and end. */
  args(place: Place, prompt: string): readonly string[];
}

/** Key for the model; it takes any. */
export const MODEL_KEY = "scripted-model";
/** Name of the model; the server takes any. */
export const MODEL = "scripted";
