import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AdminClient } from "../../client/index.ts";
import { type Directories, resolveDirectories } from "../../daemon/runtime/paths.ts";
import { productVersion } from "../../daemon/runtime/process-info.ts";
import { readRunFile } from "../../daemon/runtime/run-file.ts";
import { DEFAULT_PORT, type SignInLink } from "../../protocol/index.ts";
import { given, port } from "../arguments.ts";
import { examples, type Register } from "../command.ts";
import { type BackgroundOptions, type StartReport, startInBackground } from "../daemon-process/background.ts";
import { runInForeground, tellingWhoWaits } from "../daemon-process/foreground.ts";
import { findRunning, type Running } from "../daemon-process/running.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { Printer } from "../output/printer.ts";
import { facts } from "../output/table.ts";
import { indent } from "../output/text.ts";

interface Options {
  readonly port?: number;
  readonly octoberBusPort?: number;
  readonly dataDir?: string;
  readonly foreground?: boolean;
  readonly ui?: boolean;
}

export const register: Register = (command, invocation) => {
  command
    .description("Starts the daemon in the background and returns when it is ready. When it runs already, says so.")
    .option(
      "--port <number>",
      `port to listen on, 0 for a free one (default: AGENT_INTERCOM_PORT, else the settings file, else ${DEFAULT_PORT})`,
      port,
    )
    .option(
      "--october-bus-port <number>",
      "port for clients of October Bus 0.1, 0 for a free one (default: AGENT_INTERCOM_OCTOBER_BUS_PORT, else the settings file, else none)",
      port,
    )
    .option("--data-dir <dir>", "where it keeps its database and logs")
    .option("--foreground", "stay, run the daemon in this process, and stop it with Ctrl-C")
    .option("--ui", "also print a link that opens the user interface in a browser")
    .action(async (options: Options) => {
      const { io, out, options: global } = invocation();
      const directories = resolveDirectories({ env: io.env, dataDir: options.dataDir, runtimeDir: global.runtimeDir });
      const onRunning = (running: RunningDaemon): void => alreadyRunning(out, running, options, directories);
      const onReady = async (started: Started): Promise<void> =>
        announce(out, started, directories, options.ui ? await signInLink(directories) : undefined);
      const settings = { directories, port: options.port, octoberBusPort: options.octoberBusPort, env: io.env };
      const begin = async () => {
        const running = await findRunning(directories.runFile);
        refuseUnclear(running, directories);
        if (running.state === "running") onRunning(running);
        else if (options.foreground) await runInForeground({ ...settings, onReady });
        else await startOnce(settings, onReady, onRunning);
      };
      // What is started in the background is started so, and only that has anybody waiting for it.
      await (options.foreground ? tellingWhoWaits(begin) : begin());
    });
  examples(command, [
    ["start"],
    ["start --foreground", "for a service manager, or to watch its log"],
    ["start --october-bus-port 4765", "also for programs that speak October Bus 0.1"],
    ["start --port 0 --data-dir ./data --runtime-dir ./run", "a second daemon, apart from the first"],
  ]);
};

type Started = StartReport & { state: "ready" };
type RunningDaemon = Running & { state: "running" };

const RACE_MS = 5000;

/** Starts a daemon, or settles for the one that another `start` is starting at this moment. */
async function startOnce(
  settings: BackgroundOptions,
  onReady: (started: Started) => Promise<void>,
  onWinner: (winner: RunningDaemon) => void,
): Promise<void> {
  try {
    await onReady(await startInBackground(settings));
  } catch (error) {
    if (!(error instanceof CliError) || error.details?.reason !== "already_running") throw error;
    const deadline = performance.now() + RACE_MS;
    for (;;) {
      const winner = await findRunning(settings.directories.runFile);
      if (winner.state === "running") return onWinner(winner);
      if (performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

function refuseUnclear(running: Running, { runFile }: Directories): void {
  if (running.state === "untrusted") {
    throw new CliError(`The run file cannot be trusted: ${running.reason}.`, {
      exitCode: EXIT.denied,
      code: "UNTRUSTED_RUN_FILE",
      hint: `Find out who made it. If you did, remove it and try again: ${runFile}`,
    });
  }
  if (running.state === "unresponsive") {
    throw new CliError(
      `A daemon seems to run as process ${running.run.pid}, but does not answer at ${running.run.address}.`,
      {
        exitCode: EXIT.conflict,
        code: "UNRESPONSIVE",
        hint: "Look at it with: agent-intercom doctor. End it with: agent-intercom stop",
      },
    );
  }
}

function alreadyRunning(out: Printer, { run }: RunningDaemon, options: Options, { runtimeDir }: Directories): void {
  const message = `Agent Intercom is already running at ${run.address} (pid ${run.pid}, version ${run.version}).`;
  const another = "For another one beside it give it its own --data-dir, --runtime-dir and --port.";
  // Whoever asked to stay, or for another place, did not get what was asked for.
  if (options.foreground || options.dataDir !== undefined) {
    throw new CliError(message, {
      exitCode: EXIT.conflict,
      code: "ALREADY_RUNNING",
      // Somebody else's daemon may have come first, between the look of one process and that of the next.
      details: { reason: "already_running" },
      hint: `To see it in a browser: agent-intercom ui. ${another} This one is known in ${runtimeDir}.`,
    });
  }
  const { address, octoberBusAddress, pid, version } = run;
  if (options.octoberBusPort !== undefined && octoberBusAddress === undefined) {
    throw new CliError(`${message} It does not serve clients of October Bus 0.1.`, {
      exitCode: EXIT.conflict,
      code: "ALREADY_RUNNING",
      hint: "To have it serve them, stop it and start it again: agent-intercom stop",
    });
  }
  out.result({ state: "running", alreadyRunning: true, address, octoberBusAddress, pid, version }, () => message);
}

function announce(
  out: Printer,
  { address, octoberBusAddress, pid }: Started,
  { dataDir, runtimeDir, logDir }: Directories,
  link: SignInLink | undefined,
): void {
  const version = productVersion();
  const places = { dataDir, runtimeDir, logDir };
  const data = {
    state: "running",
    alreadyRunning: false,
    address,
    octoberBusAddress,
    pid,
    version,
    ...places,
    ...given({ signInLink: link }),
  };
  const guests: [string, string][] = octoberBusAddress ? [["October Bus 0.1", octoberBusAddress]] : [];
  out.result(data, () =>
    [
      out.paint("bold", `Agent Intercom ${version} is running at ${address} (pid ${pid}).`),
      indent(facts([...guests, ["Data", dataDir], ["Logs", logDir]]), "  "),
      ...(link
        ? ["", "In a browser, for one sign-in within a minute (for another: agent-intercom ui):", `  ${link.url}`]
        : []),
      "",
      "What next:",
      indent(
        facts([
          ["agent-intercom connect", "connect Claude Code, Codex and other agent programs"],
          ["agent-intercom demo", "watch two agents work together"],
          ["agent-intercom agent run --id NAME -- CMD", "run a program as an agent"],
          ["agent-intercom ui", "see and answer all of it in a browser"],
          ["agent-intercom status", "see what goes on"],
          ["agent-intercom stop", "stop the daemon"],
        ]),
        "  ",
      ),
      ...checkoutNote(),
    ].join("\n"),
  );
}

/** A link to the daemon that has just said that it is ready. */
async function signInLink({ runFile }: Directories): Promise<SignInLink | undefined> {
  const reading = readRunFile(runFile);
  return reading.state === "present" ? new AdminClient(reading.run).createSignInLink() : undefined;
}

/** In a clone the command is not on the PATH. */
function checkoutNote(): string[] {
  const root = [2, 3].map((levels) => join(import.meta.dirname, ...Array<string>(levels).fill("..")));
  const found = root.find((directory) => existsSync(join(directory, "build", "bootstrap.mjs")));
  return found ? ["", `In this checkout agent-intercom is ${join(found, "bin", "agent-intercom")}.`] : [];
}
