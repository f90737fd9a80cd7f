// Starts npm as a JavaScript file on a Node of our choice. That way npm itself runs on the right Node (no engine warnings),
// and on Windows no .cmd file is ever spawned (which Node refuses without a shell, for good reason).
import { execSync, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { SetupError } from "./report.mjs";

/** The path of npm's own program file. */
export function npmCli() {
  for (const candidate of candidates()) {
    const path = existing(candidate);
    if (path && basename(path) === "npm-cli.js") return path;
  }
  throw new SetupError("npm was not found next to Node or on PATH.", {
    command: "npm root -g",
    advice: "install npm (it comes with Node), then run the same command again",
  });
}

function* candidates() {
  // Set by npm for the scripts it runs. Other package managers set it too, to themselves: hence the name check above.
  yield process.env.npm_execpath ?? "";
  yield* besideNode(dirname(process.execPath));
  for (const folder of (process.env.PATH ?? process.env.Path ?? "").split(delimiter)) {
    // On POSIX `npm` is a link to npm-cli.js; on Windows npm.cmd lies beside its node_modules.
    yield join(folder, "npm");
    if (existsSync(join(folder, "npm.cmd"))) yield join(folder, "node_modules", "npm", "bin", "npm-cli.js");
  }
  // Version managers put shell shims on PATH; only npm itself knows where it is then.
  yield join(globalRoot(), "npm", "bin", "npm-cli.js");
}

/** @param {string} folder */
function besideNode(folder) {
  return [
    join(folder, "node_modules", "npm", "bin", "npm-cli.js"),
    join(folder, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
}

function globalRoot() {
  try {
    return execSync("npm root -g", { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}

/** @param {string} path */
function existing(path) {
  try {
    return path ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs a program to its end and keeps what it printed, for the report if it fails. A signal ends the program first and
 * then us: an npm that went on alone would write into node_modules without holding the lock.
 * @param {string} program
 * @param {string[]} args
 * @param {import("node:child_process").SpawnOptions} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function capture(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (chunk) => {
        output += chunk;
      });
    }
    /** @type {NodeJS.Signals | undefined} */
    let interrupted;
    /** @type {(signal: NodeJS.Signals) => void} */
    const interrupt = (signal) => {
      interrupted = signal;
      child.kill(signal);
    };
    process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
    child.on("error", (error) => {
      output += `${error.message}\n`;
    });
    child.on("close", (code) => {
      process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
      if (interrupted) {
        process.stderr.write("interrupted\n");
        process.exit(interrupted === "SIGINT" ? 130 : 143);
      }
      resolve({ code: code ?? 1, output });
    });
  });
}
