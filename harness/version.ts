import { makePlace, placedEnvironment, removePlace } from "./place.ts";
import { NotStartable, runToEnd } from "./process.ts";

const TIMEOUT_MS = 30_000;
/** Nothing listens there. */
const NO_PROXY = "http://127.0.0.1:9";

/**
 * The version a program says it has, asked in a place of its own.
 * @throws {NotStartable} when it cannot be started or tells no version
 */
export async function versionOf(file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const place = makePlace();
  try {
    const placed = placedEnvironment(place, NO_PROXY, env);
    const { stdout, code } = await runToEnd(file, args, { env: placed, cwd: place.work, timeoutMs: TIMEOUT_MS });
    const version = /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0];
    if (code === 0 && version !== undefined) return version;
    throw new NotStartable(`${file} ${args.join(" ")} tells no version.`);
  } finally {
    removePlace(place);
  }
}
