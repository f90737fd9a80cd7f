import type { HttpClient } from "../http/client.ts";
import { isRecord } from "../http/envelope.ts";
import { CheckFailure, CheckSkipped, MissingPrerequisite } from "./failure.ts";
import type { OpenProfile, Profile } from "./profile.ts";
import { type Failure, type Outcome, Run, type RunOptions } from "./run.ts";
import { shorten } from "./shorten.ts";

/** What a profile found at a target. Holds no credentials. */
export interface Report {
  readonly profile: string;
  /** What the target says of itself; empty when it does not. */
  readonly protocolVersion: string;
  readonly runtimeVersion: string;
  readonly startedAt: string;
  readonly completedAt: string;
  /** In the order of the profile. */
  readonly outcomes: readonly Outcome[];
  /** What could not be cleared away afterwards. */
  readonly leftovers: readonly string[];
}

/** Runs every check of a profile, whatever becomes of the earlier ones, and clears up. Never throws for what a target does. */
export async function runProfile(profile: Profile, options: RunOptions): Promise<Report> {
  const startedAt = new Date().toISOString();
  const deadline = new AbortController();
  const timeoutMs = options.timeoutMs ?? profile.timeoutMs;
  const timer = setTimeout(
    () => deadline.abort(new Error(`The profile was to end within ${timeoutMs / 1000} s`)),
    timeoutMs,
  );
  const signals = [deadline.signal, ...(options.signal ? [options.signal] : [])];
  const run = new Run(options, AbortSignal.any(signals));
  const versions = await versionsOf(run.http);
  const outcomes: Outcome[] = [];
  try {
    const open = profile.open(run);
    for (const { name } of profile.checks) {
      const outcome = run.secrets.clean(await perform(open, name, run));
      outcomes.push(outcome);
      options.onOutcome?.(outcome);
    }
  } finally {
    clearTimeout(timer);
  }
  // The deadline is over, but what was made is to be removed all the same.
  const leftovers = run.secrets.clean(await run.end());
  return { profile: profile.name, ...versions, startedAt, completedAt: new Date().toISOString(), outcomes, leftovers };
}

async function perform(open: OpenProfile, check: string, run: Run): Promise<Outcome> {
  const begun = performance.now();
  run.http.last = undefined;
  try {
    run.signal.throwIfAborted();
    await untilAborted(() => open.run(check), run.signal);
    return { check, state: "passed", tookMs: took(begun) };
  } catch (error) {
    if (error instanceof CheckSkipped) return { check, state: "skipped", tookMs: took(begun), reason: error.message };
    return { check, state: "failed", tookMs: took(begun), ...failureOf(error, run) };
  }
}

function failureOf(error: unknown, run: Run): Failure {
  if (error instanceof MissingPrerequisite) {
    return { error: error.message, request: null, expected: null, got: null, because: error.check };
  }
  const last = run.http.last;
  if (error instanceof CheckFailure) {
    const request = error.request ?? last?.request ?? null;
    const [expected, got] = [error.expected, error.got].map((value) => shorten(value ?? null));
    return { error: error.message, request, expected, got };
  }
  if (run.signal.aborted) {
    const { reason } = run.signal as { reason: unknown };
    const message = reason instanceof Error ? reason.message : "The run was ended";
    return { error: message, request: last?.request ?? null, expected: "an end of the check", got: null };
  }
  // A check stumbled over an answer it was not made for: the answer tells more than the stumbling does.
  const message = error instanceof Error ? error.message : String(error);
  const got = last?.answer ? { status: last.answer.status, body: last.answer.body } : null;
  return {
    error: `The check could not go on: ${message}`,
    request: last?.request ?? null,
    expected: "an answer as documented",
    got: shorten(got),
  };
}

function took(begun: number): number {
  return Math.round(performance.now() - begun);
}

async function untilAborted(start: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  const work = start();
  // Whichever loses the race may still fail, and has been heard already.
  for (const loser of [work, promise]) loser.catch(() => {});
  try {
    await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

async function versionsOf(http: HttpClient): Promise<Pick<Report, "protocolVersion" | "runtimeVersion">> {
  const health = await http.send("GET", "/health").then(
    ({ body }) => body,
    () => undefined,
  );
  const text = (field: string) => (isRecord(health) && typeof health[field] === "string" ? health[field] : "");
  return { protocolVersion: text("protocolVersion"), runtimeVersion: text("runtimeVersion") };
}
