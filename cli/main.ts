#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import envPaths from "env-paths";
import { escapeForTerminal } from "../daemon/runtime/terminal-text.ts";

// Compiling takes most of the time of a short command. The cache goes to the user's own folder: Node's default is the shared
// temporary one, where somebody else could have put it.
enableCompileCache(envPaths("agent-intercom", { suffix: "" }).cache);

// A defect: still a sentence, and for those who look for it the details.
process.on("uncaughtException", (error) => {
  const details = process.env.AGENT_INTERCOM_LOG === "debug" ? `\n${error.stack ?? ""}` : "";
  process.stderr.write(`Error: Something unexpected failed: ${escapeForTerminal(String(error.message))}${details}\n`);
  process.exit(1);
});

const [{ processIo }, { runCommandLine }] = await Promise.all([import("./io.ts"), import("./program.ts")]);
process.exitCode = await runCommandLine(process.argv.slice(2), processIo());
