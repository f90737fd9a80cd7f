import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CliError } from "../errors.ts";

const FORWARDED: readonly NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"];
/** A terminal sends these to the child itself; a second copy would look like a second key press. */
const FROM_TERMINAL: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGQUIT"]);

/** Runs a program on this process's own streams and returns its exit code, or 128 plus the signal that ended it. */
export function runChild(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = "", ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: "inherit" });
    const forward = (signal: NodeJS.Signals): void => {
      if (!(FROM_TERMINAL.has(signal) && process.stdin.isTTY)) child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const settle = (): void => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.once("error", (error: NodeJS.ErrnoException) => {
      settle();
      reject(startFailure(program, error));
    });
    child.once("exit", (code, signal) => {
      settle();
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

function startFailure(program: string, error: NodeJS.ErrnoException): CliError {
  if (error.code === "ENOENT") {
    return new CliError(`The program ${program} was not found.`, {
      exitCode: 127,
      code: "COMMAND_NOT_FOUND",
      hint: "Check its name and PATH. Everything after -- is the program and its arguments.",
    });
  }
  const hint = process.platform === "win32" ? "Scripts (.cmd, .bat) need a shell: -- cmd /c script" : undefined;
  return new CliError(`The program ${program} cannot be run (${error.code ?? error.message}).`, {
    exitCode: 126,
    code: "COMMAND_NOT_RUNNABLE",
    hint,
  });
}
