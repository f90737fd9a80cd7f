import type { Run } from "./run.ts";

/** One thing a profile looks at. */
export interface Check<World> {
  /** Words with hyphens; stable, because CI and reports name it. */
  readonly name: string;
  /** One sentence: what is known about the target once this has passed. */
  readonly proves: string;
  /** @throws {CheckFailure} when the target does something else; whatever else is thrown counts as failure as well */
  readonly run: (world: World) => Promise<void>;
}

/** The protocol a profile is about, by the name its targets give in `/health`. */
export type ProtocolName = "october-bus" | "agent-intercom";

/** A named set of checks, in order. */
export interface Profile {
  readonly name: string;
  readonly about: string;
  readonly protocol: ProtocolName;
  /** Set where it examines an adapter in front of a target. */
  readonly needsAdapter?: true;
  /** How long all of it may take, ms. */
  readonly timeoutMs: number;
  readonly checks: readonly { readonly name: string; readonly proves: string }[];
  open(run: Run): OpenProfile;
}

/** A profile at work on one target. */
export interface OpenProfile {
  run(check: string): Promise<void>;
}

/**
 * @param definition.world what the checks share; must not talk to the target, so that whatever fails does so in a check
 */
export function profile<World>(
  definition: Omit<Profile, "checks" | "open"> & {
    readonly world: (run: Run) => World;
    readonly checks: readonly Check<World>[];
  },
): Profile {
  const { checks, world: makeWorld, ...rest } = definition;
  const byName = new Map(checks.map((check) => [check.name, check]));
  return {
    ...rest,
    checks,
    open(run) {
      const world = makeWorld(run);
      return { run: async (name) => byName.get(name)?.run(world) };
    },
  };
}
