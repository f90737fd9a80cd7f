import { once } from "node:events";
import { resolveDirectories } from "../../daemon/runtime/paths.ts";
import { examples, type Register } from "../command.ts";
import { openOwnStage, openSharedStage, type Stage } from "../demo/stage.ts";
import { type Step, story } from "../demo/story.ts";
import { CliError, toCliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Printer } from "../output/printer.ts";
import { interruption } from "../signals.ts";

interface Played {
  readonly step: string;
  readonly lines: readonly string[];
  readonly tookMs: number;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Plays a short story with two agents and you: they find each other, exchange a request, work on a task and ask you a " +
        "question. A daemon of its own runs it in a temporary directory, so nothing of yours is touched. Each step is checked " +
        "in the daemon's database; the exit code is 0 only if all of them really happened.",
    )
    .option(
      "--keep",
      "play it on your own daemon, in a new scope, where the desktop shows it; you answer the question, and the agents " +
        "stay until Ctrl-C",
    )
    .action(async ({ keep = false }: { keep?: boolean }) => {
      const { io, out, options } = invocation();
      const signal = interruption();
      const started = performance.now();
      const where = keep ? "on your daemon" : "on a daemon made for this demo";
      if (!out.json) out.item({}, () => `${out.paint("bold", "Two agents and you")}, ${where}.\n\n`);
      const stage = keep
        ? await openSharedStage(io.env, resolveDirectories({ env: io.env, runtimeDir: options.runtimeDir }))
        : await openOwnStage(io.env);
      signal.addEventListener("abort", () => stage.curtain.abort());
      try {
        const steps = await play(story({ stage, answersItself: !keep }), out, signal);
        const tookMs = Math.round(performance.now() - started);
        if (keep) await linger(stage, { steps, tookMs }, out, signal);
        else {
          await stage.close();
          out.result({ ok: true, tookMs, steps }, () => finished(steps.length, tookMs));
        }
      } finally {
        await stage.close();
        if (keep) out.notice(whatIsLeft(stage));
      }
    });
  examples(command, [["demo"], ["demo --keep", "beside the desktop: the question waits in the tray"]]);
};

async function play(steps: readonly Step[], out: Printer, signal: AbortSignal): Promise<Played[]> {
  const played: Played[] = [];
  for (const [index, step] of steps.entries()) {
    if (signal.aborted) throw interrupted();
    const number = String(index + 1).padStart(2);
    const begun = performance.now();
    try {
      const lines = await step.play();
      const tookMs = Math.round(performance.now() - begun);
      played.push({ step: step.title, lines, tookMs });
      if (!out.json) out.item({}, () => told(number, step.title, lines, tookMs, out));
    } catch (error) {
      if (signal.aborted) throw interrupted();
      const { message, hint, code, exitCode } = toCliError(error);
      throw new CliError(`Step ${index + 1}, ${step.title}: ${message}`, {
        hint,
        code,
        exitCode: exitCode || EXIT.failure,
      });
    }
  }
  return played;
}

function interrupted(): CliError {
  return new CliError("Interrupted.", { exitCode: EXIT.interrupted, code: "INTERRUPTED" });
}

function told(number: string, title: string, lines: readonly string[], tookMs: number, out: Printer): string {
  const head = `${out.paint("green", "✓")} ${number}. ${out.paint("bold", title)} ${out.paint("dim", `(${tookMs} ms)`)}`;
  return [head, ...lines.map((line) => `      ${line}`)].join("\n");
}

function finished(steps: number, tookMs: number): string {
  return [
    "",
    `All ${steps} steps really happened, in ${(tookMs / 1000).toFixed(1)} s.`,
    "Nothing of it is left. Now with your own agents: agent-intercom start",
  ].join("\n");
}

/** Leaves the agents where they are, until they are sent home. */
async function linger(
  { scopeId, address }: Stage,
  played: { readonly steps: readonly Played[]; readonly tookMs: number },
  out: Printer,
  signal: AbortSignal,
): Promise<void> {
  out.result({ ok: true, ...played, address, scopeId }, () =>
    [
      "",
      `All ${played.steps.length} steps really happened. planner and reviewer stay until you press Ctrl-C: write to them, or look around:`,
      `  agent-intercom --scope ${scopeId} message list --full`,
      `  agent-intercom --scope ${scopeId} events`,
    ].join("\n"),
  );
  if (!signal.aborted) await once(signal, "abort");
}

function whatIsLeft({ scopeId }: Stage): string {
  return `The story stays in the scope ${scopeId}. To remove it: agent-intercom scope delete ${scopeId} --confirm ${scopeId}`;
}
