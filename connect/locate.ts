import { type Environment, expandPlace, findProgram, pathsOf } from "./environment.ts";
import { ConnectError } from "./error.ts";
import type { ClientProfile, Place } from "./profile.ts";

/** What shows that a client is on this machine. */
export interface Detection {
  readonly found: boolean;
  /** Absolute path of its program, when it is on the PATH. */
  readonly program?: string;
}

/** Looks for a client by its program and by the files it leaves. */
export function detect(profile: ClientProfile, environment: Environment): Detection {
  for (const { name } of profile.detect.programs) {
    const program = findProgram(name, environment);
    if (program !== undefined) return { found: true, program };
  }
  return { found: expandAll(profile.detect.paths[environment.platform], environment).some(environment.exists) };
}

/**
 * The file that holds the client's servers, whether it is there yet or not.
 * @throws {ConnectError} NOT_OFFERED when the client has no file for that place.
 */
export function configFile(profile: ClientProfile, place: Place, environment: Environment): string {
  const templates = place === "user" ? profile.files.user[environment.platform] : profile.files.project;
  if (templates === undefined) {
    throw new ConnectError("NOT_OFFERED", `${profile.name} has no configuration for a single project.`);
  }
  const candidates = expandAll(templates, environment);
  const { dirname } = pathsOf(environment.platform);
  const file =
    overriding(templates, environment) ??
    candidates.find(environment.exists) ??
    candidates.find((candidate) => environment.exists(dirname(candidate))) ??
    candidates[0];
  if (file === undefined) throw new ConnectError("NOT_OFFERED", `${profile.name} has no known place on this system.`);
  return file;
}

/** When the best candidate is a variable of the client's own and that is set, the client looks nowhere else. */
function overriding([first]: readonly string[], environment: Environment): string | undefined {
  return first !== undefined && /^\{[A-Z_]+\}/.test(first) ? expandPlace(first, environment) : undefined;
}

function expandAll(templates: readonly string[], environment: Environment): string[] {
  return templates.map((each) => expandPlace(each, environment)).filter((path) => path !== undefined);
}
