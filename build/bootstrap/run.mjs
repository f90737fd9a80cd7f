// Runs the wanted program as if it had been started directly: same terminal, signals passed on, same exit code.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { readJson } from "./files.mjs";
import { environment } from "./node-runtime.mjs";
import { root } from "./paths.mjs";
import { SetupError } from "./report.mjs";

/** Runs a file of the checkout, from the checkout. @param {string} node @param {string} file @param {string[]} args */
export function runFile(node, file, args) {
  return run(node, [existing(file), ...args], root);
}

/** Runs the command line where the person stands: its arguments may be relative paths.
 * @param {string} node @param {string} file @param {string[]} args */
export function runCli(node, file, args) {
  return run(node, [existing(file), ...args], process.cwd());
}

/** Runs a tool out of node_modules. @param {string} node @param {string} bin @param {string[]} args */
export function runBin(node, bin, args) {
  return run(node, [binFile(bin), ...args], root);
}

/** @param {string} file */
function existing(file) {
  const path = join(root, file);
  if (file && existsSync(path)) return path;
  throw new SetupError(`there is no file ${file || "(none given)"} in this checkout to run.`);
}

/** Opens the desktop of the checkout. @param {string} node @param {string} electron its executable */
export function runElectron(node, electron) {
  return run(electron, ["."], root, { ...environment(node), ELECTRON_RUN_AS_NODE: undefined });
}

/**
 * The JavaScript file behind a tool's name. Read from the packages we depend on directly, because node_modules/.bin holds
 * links on POSIX but .cmd files on Windows.
 * @param {string} bin
 */
export function binFile(bin) {
  const manifest = readJson(join(root, "package.json")) ?? {};
  for (const name of Object.keys({ ...manifest.devDependencies, ...manifest.dependencies })) {
    const folder = join(root, "node_modules", name);
    const declared = readJson(join(folder, "package.json"))?.bin;
    const file = typeof declared === "string" && name === bin ? declared : declared?.[bin];
    if (file) return join(folder, file);
  }
  throw new SetupError(`no package this project depends on brings a tool named "${bin}".`, {
    advice: "see the scripts in package.json for the tools there are",
  });
}

/** @param {string} program @param {string[]} args @param {string} cwd @param {NodeJS.ProcessEnv} [env] @returns {Promise<number>} */
function run(program, args, cwd, env = environment(program)) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: "inherit" });
    /** @type {NodeJS.Signals[]} */
    const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
    /** @type {(signal: NodeJS.Signals) => void} */
    const pass = (signal) => {
      // Ctrl-C in a terminal reaches the child by itself; passed on again it would count as the impatient second one.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      for (const each of signals) process.off(each, pass);
      resolve(code ?? 128 + (signal ? constants.signals[signal] : 1));
    });
  });
}
