import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { AdminClient, ScopeClient } from "../../../client/index.ts";
import type { Transport } from "../../../connect/index.ts";
import { isProcessAlive } from "../../../daemon/runtime/process-info.ts";
import { readRunFile } from "../../../daemon/runtime/run-file.ts";
import type { Script } from "../../../harness/model/script.ts";
import type { ScriptedModelOptions } from "../../../harness/model/server.ts";
import { findProgramOf } from "../../../harness/programs/index.ts";
import { type Run, startProgram } from "../../../harness/run.ts";
import { CliHome, MAIN } from "../../support/cli.ts";
import { until } from "../../support/waiting.ts";
import { programFile } from "../installed.ts";
import { agentTokens, type TokenSource } from "./tokens.ts";

export interface StartOptions {
  readonly transport: Transport;
  readonly script: Script;
  readonly prompt?: string;
  readonly onRequest?: ScriptedModelOptions["onRequest"];
  /** Where the daemon seems to be, when something stands in between. */
  readonly address?: string;
}

/** Milliseconds a program may take: some need seconds to start, and the machine may be busy. */
const PROGRAM_MS = 120_000;

let stages = 0;

/** A daemon as a process of its own, with one scope in which programs meet. */
export class Stage {
  readonly scopeId: string;
  readonly #cli = new CliHome();
  readonly #runs: AbortController[] = [];
  readonly #tokens: TokenSource;
  #environment: NodeJS.ProcessEnv = {};

  private constructor(tokens: (stage: Stage) => TokenSource) {
    stages += 1;
    this.scopeId = `stage-${stages}`;
    this.#tokens = tokens(this);
  }

  /** @param tokens what programs connect with over HTTP */
  static async open(tokens: (stage: Stage) => TokenSource = agentTokens): Promise<Stage> {
    const stage = new Stage(tokens);
    await stage.startDaemon();
    // The port stays the same from now on, as it does for users, whoever starts the daemon again.
    const port = Number(new URL(stage.address).port);
    writeFileSync(join(stage.#cli.dataDir, "settings.json"), JSON.stringify({ port }), { mode: 0o600 });
    stage.#environment = { AGENT_INTERCOM_PORT: undefined };
    await stage.admin.createScope({ id: stage.scopeId, linkPolicy: "open" });
    return stage;
  }

  get address(): string {
    return this.#cli.runFile().address;
  }

  get admin(): AdminClient {
    return this.#cli.admin();
  }

  get scope(): ScopeClient {
    return this.admin.scope(this.scopeId);
  }

  async startDaemon(): Promise<void> {
    const { code, stderr } = await this.#cli.run(["start"], { env: this.#environment });
    if (code !== 0) throw new Error(`The daemon does not start: ${stderr}`);
  }

  /** Ends the daemon without warning, as the system does when memory runs out. */
  async killDaemon(): Promise<void> {
    const { pid } = this.#cli.runFile();
    process.kill(pid, "SIGKILL");
    await until("the daemon is dead", () => !isProcessAlive(pid));
  }

  /** Whether one runs, whoever has started it. */
  isDaemonRunning(): boolean {
    const reading = readRunFile(join(this.#cli.runtimeDir, "run.json"));
    return reading.state === "present" && isProcessAlive(reading.run.pid);
  }

  /** Starts a client's program; its agent is called like the client. */
  async start(client: string, options: StartOptions): Promise<Run> {
    const { transport, script, prompt = "Go on with your work.", onRequest, address = this.address } = options;
    const program = findProgramOf(client);
    if (!program) throw new Error(`No program of ${client}`);
    const token = transport === "http" ? await this.#tokens.tokenFor(client) : "";
    const ending = new AbortController();
    this.#runs.push(ending);
    return startProgram({
      program,
      file: programFile(client),
      prompt,
      script,
      transport,
      entry: {
        launcher: { command: process.execPath, args: [MAIN] },
        address,
        scope: this.scopeId,
        runtimeDir: this.#cli.runtimeDir,
      },
      variables: {
        AGENT_INTERCOM_DATA_DIR: this.#cli.dataDir,
        ...(token === "" ? {} : { AGENT_INTERCOM_TOKEN: token }),
      },
      env: process.env,
      timeoutMs: PROGRAM_MS,
      signal: ending.signal,
      onRequest,
    });
  }

  /** Ends everything that still runs. */
  async close(): Promise<void> {
    for (const run of this.#runs) run.abort();
    await this.#tokens.close();
    await this.#cli.close();
  }
}
