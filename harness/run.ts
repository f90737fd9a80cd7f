import { existsSync } from "node:fs";
import {
  apply,
  buildEntry,
  configFile,
  type EntryRequest,
  type Environment,
  findClient,
  planConnect,
  SERVER_NAME,
  type Transport,
} from "../connect/index.ts";
import type { Script } from "./model/script.ts";
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from "./model/server.ts";
import { makePlace, type Place, placedEnvironment, removePlace, writeFile } from "./place.ts";
import { type Ended, runToEnd } from "./process.ts";
import type { Program } from "./programs/program.ts";

export interface RunRequest {
  readonly program: Program;
  /** The program itself, absolute. */
  readonly file: string;
  readonly prompt: string;
  readonly script: Script;
  readonly transport: Transport;
  /** What our entry in its configuration is made of. */
  readonly entry: Omit<EntryRequest, "platform">;
  /** Variables for our server and its entry, such as the token that an HTTP entry names. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Where to take PATH and the like from. */
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called before each answer of the model. */
  readonly onRequest?: ScriptedModelOptions["onRequest"];
}

/** A program that has been started. */
export interface Run {
  /** What it asks the model, while it runs and afterwards. */
  readonly model: ScriptedModel;
  /** When it has ended and nothing of it is left. */
  readonly ended: Promise<Ended>;
}

/**
 * Runs a program once in a place of its own: with a scripted model instead of a real one, and with our server added to its
 * configuration by the same code that adds it to a user's.
 */
export async function startProgram(request: RunRequest): Promise<Run> {
  const { script, onRequest } = request;
  const place = makePlace();
  let model: ScriptedModel | undefined;
  try {
    model = await startScriptedModel(script, { server: SERVER_NAME, onRequest });
  } finally {
    if (model === undefined) removePlace(place);
  }
  return { model, ended: runIn(place, model, request) };
}

async function runIn(place: Place, model: ScriptedModel, request: RunRequest): Promise<Ended> {
  const { program, file, prompt, timeoutMs, signal } = request;
  const env = {
    ...placedEnvironment(place, model.url, request.env),
    ...program.environment(place, model.url),
    ...request.variables,
  };
  try {
    for (const [path, content] of Object.entries(program.files(place, model.url))) writeFile(path, content);
    connectIn(place, env, request);
    return await runToEnd(file, program.args(place, prompt), { env, cwd: place.work, timeoutMs, signal });
  } finally {
    await model.close();
    removePlace(place);
  }
}

/** Adds our server to the program's own configuration, as `agent-intercom connect` does for a user. */
function connectIn(
  place: Place,
  env: Readonly<Record<string, string>>,
  { program, transport, entry }: RunRequest,
): void {
  const profile = findClient(program.client);
  if (profile === undefined) throw new Error(`There is no profile of ${program.client}`);
  const platform = process.platform === "win32" || process.platform === "darwin" ? process.platform : "linux";
  const environment: Environment = { platform, env, homedir: place.home, project: place.work, exists: existsSync };
  const built = buildEntry(profile, transport, { ...entry, platform });
  apply(() => planConnect(profile, configFile(profile, "user", environment), built), Date.now());
}
