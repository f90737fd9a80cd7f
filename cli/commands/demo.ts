import { examples, type Register } from "../command.ts";
import { closeStage, openStage, type Stage } from "../demo/stage.ts";
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
    .option("--keep", "leave the demo's daemon running afterwards, to look around in it")
    .action(async ({ keep = false }: { keep?: boolean }) => {
      const { io, out } = invocation();
      const signal = interruption();
      const started = performance.now();
      if (!out.json)
        out.item({}, () => `${out.paint("bold", "Two agents and you")}, on a daemon made for this demo.\n\n`);
      const stage = await openStage(io.env);
      let kept = false;
      try {
        const steps = await play(story(stage), out, signal);
        kept = keep;
        await finish(stage, steps, kept, started, out);
      } finally {
        if (!kept) await closeStage(stage, false);
      }
    });
  examples(command, [["demo"], ["demo --keep", "then follow what it prints"]]);
};

async function play(steps: readonly Step[], out: Printer, signal: AbortSignal): Promise<Played[]> {
  const played: Played[] = [];
  for (const [index, step] of steps.entries()) {
    if (signal.aborted) throw new CliError("Interrupted.", { exitCode: EXIT.interrupted, code: "INTERRUPTED" });
    const number = String(index + 1).padStart(2);
    const begun = performance.now();
    try {
      const lines = await step.play();
      const tookMs = Math.round(performance.now() - begun);
      played.push({ step: step.title, lines, tookMs });
      if (!out.json) out.item({}, () => told(number, step.title, lines, tookMs, out));
    } catch (error) {
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

function told(number: string, title: string, lines: readonly string[], tookMs: number, out: Printer): string {
  const head = `${out.paint("green", "✓")} ${number}. ${out.paint("bold", title)} ${out.paint("dim", `(${tookMs} ms)`)}`;
  return [head, ...lines.map((line) => `      ${line}`)].join("\n");
}

async function finish(
  stage: Stage,
  steps: readonly Played[],
  keep: boolean,
  started: number,
  out: Printer,
): Promise<void> {
  const { address, pid, directories } = stage;
  await closeStage(stage, keep);
  const tookMs = Math.round(performance.now() - started);
  const left = keep ? { address, pid, dataDir: directories.dataDir, runtimeDir: directories.runtimeDir } : {};
  const option = `--runtime-dir ${directories.runtimeDir}`;
  out.result({ ok: true, tookMs, steps, ...left }, () =>
    [
      "",
      `All ${steps.length} steps really happened, in ${(tookMs / 1000).toFixed(1)} s.`,
      ...(keep
        ? [
            "",
            `The daemon still runs at ${address} (pid ${pid}). Look around, then stop it:`,
            `  agent-intercom message list --full ${option}`,
            `  agent-intercom events ${option}`,
            `  agent-intercom stop ${option}`,
            `Its files: ${directories.dataDir}`,
          ]
        : ["Nothing of it is left. Now with your own agents: agent-intercom start"]),
    ].join("\n"),
  );
}
