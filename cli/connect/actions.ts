import {
  type Applied,
  apply,
  buildEntry,
  type ClientProfile,
  type EntryRequest,
  type Environment,
  entryPath,
  freshEntry,
  type Place,
  planConnect,
  planRemove,
  snippet,
  type Transport,
  undo,
} from "../../connect/index.ts";
import { identifier } from "../../protocol/ids.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../errors.ts";
import { escapeForTerminal } from "../output/text.ts";
import { daemonAddress } from "./daemon-address.ts";
import { isPassing, thisLauncher } from "./machine.ts";
import { nextSteps } from "./next-steps.ts";
import { deedText, quoted, shortPath, stepsText } from "./report.ts";
import { verifiedClients, verifiedText } from "./verified.ts";

/** One use of the command on one client. */
export interface Job {
  readonly run: Invocation;
  readonly profile: ClientProfile;
  readonly environment: Environment;
  readonly place: Place;
  readonly transport: Transport;
  readonly force: boolean;
}

/** Adds or updates our entry and says what is left to do. */
export function connect(job: Job, file: string): void {
  const { profile, transport, force, run, environment } = job;
  const built = buildEntry(profile, transport, request(job));
  const applied = apply(() => planConnect(profile, file, built, force), run.io.now());
  const { plan } = applied;
  const steps = plan.action === "none" ? [] : nextSteps(job);
  const verified = verifiedClients(run).get(profile.id);
  const data = { ...summary(job, applied), transport, entry: plan.entry, ...(verified ? { verified } : {}) };
  run.out.result({ ...data, next: steps }, () => {
    const text = [deedText(plan, environment, run.out)];
    if (verified)
      text.push(`Verified with ${profile.name} ${verifiedText(verified)}, by a round trip on this machine.`);
    if (plan.action !== "none") {
      text.push("", quoted(snippet(profile, plan.entry ?? {})), ...backupLines(applied, job));
      text.push("", "Next:", stepsText(steps, run.out.width));
    }
    return text.join("\n");
  });
}

/** Takes our entry out. */
export function disconnect(job: Job, file: string): void {
  const { profile, force, run, environment } = job;
  const applied = apply(() => planRemove(profile, file, force), run.io.now());
  run.out.result(summary(job, applied), () => {
    if (applied.plan.action === "none") {
      return `${profile.name} was not connected in ${escapeForTerminal(shortPath(file, environment))}. Nothing was changed.`;
    }
    return [deedText(applied.plan, environment, run.out), ...backupLines(applied, job), untilThen(profile)].join("\n");
  });
}

/** Puts the file back as it was before the latest change. */
export function undoLast({ profile, run, environment }: Job, file: string): void {
  const undone = undo(profile, file);
  run.out.result({ client: profile.id, ...undone }, () => {
    const path = escapeForTerminal(shortPath(file, environment));
    const what =
      undone.action === "restored"
        ? `${path} is as it was before the latest change.`
        : `Deleted ${path}, which held nothing else.`;
    return `${what}\n${untilThen(profile)}`;
  });
}

/** Shows the entry for this machine and where it belongs; writes nothing. */
export function showSnippet(job: Job, file: string): void {
  const { profile, transport, run, environment } = job;
  const entry = freshEntry(buildEntry(profile, transport, request(job)));
  const text = snippet(profile, entry);
  const steps = nextSteps(job);
  const data = {
    client: profile.id,
    file,
    format: profile.format,
    transport,
    path: entryPath(profile),
    entry,
    snippet: text,
  };
  run.out.result({ ...data, next: steps }, () =>
    [
      `For ${run.out.paint("bold", profile.name)}, in ${escapeForTerminal(shortPath(file, environment))}:`,
      "",
      quoted(text),
      "",
      `If the file has ${profile.root.join(" > ")} already, put only the part below it there. Nothing was changed.`,
      "",
      "Next:",
      stepsText(steps, run.out.width),
    ].join("\n"),
  );
}

function request({ run, environment, profile }: Job): EntryRequest {
  const { io, options, out } = run;
  const launcher = thisLauncher(io, environment.platform);
  if (isPassing(launcher)) {
    out.notice(
      "Note: this command was started through npx, whose copy may vanish. Install it first: npm install -g agent-intercom",
    );
  }
  const { scope } = options;
  if (scope !== undefined && !identifier.safeParse(scope).success) {
    throw usageError(`--scope: ${scope} cannot be the id of a scope.`);
  }
  const { address, runtimeDir } = daemonAddress(run, profile);
  return { platform: environment.platform, launcher, address, scope, runtimeDir };
}

function summary({ profile, place }: Job, { plan, backup }: Applied): Record<string, unknown> {
  return { client: profile.id, action: plan.action, file: plan.file.path, place, ...(backup ? { backup } : {}) };
}

function backupLines({ backup }: Applied, { profile, environment, place }: Job): string[] {
  if (backup === undefined) return [];
  const option = place === "project" ? " --project" : "";
  return [
    "",
    `The file as it was: ${escapeForTerminal(shortPath(backup, environment))}`,
    `Back to it: agent-intercom connect --undo ${profile.id}${option}`,
  ];
}

function untilThen({ name }: ClientProfile): string {
  return `What runs in ${name} now may go on with what it has read; start it anew.`;
}
