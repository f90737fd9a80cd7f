import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterEach, beforeEach } from "vitest";
import { projectScopeId } from "../../cli/mcp-front/project-scope.ts";
import type { ScopeClient } from "../../client/index.ts";
import { isProcessAlive } from "../../daemon/runtime/process-info.ts";
import { CliHome, MAIN } from "./cli.ts";
import { until } from "./waiting.ts";

/** Clients that start `agent-intercom mcp` themselves, in a repository of somebody who has just installed it. */
class StdioClients {
  readonly cli = new CliHome();
  /** The repository. */
  readonly folder = join(this.cli.home, "shop");
  readonly #clients: Client[] = [];

  constructor() {
    mkdirSync(join(this.folder, ".git"), { recursive: true });
  }

  /** The scope its agents meet in. */
  get scope(): ScopeClient {
    return this.cli.admin().scope(projectScopeId(this.folder));
  }

  /** Starts one. It can ask its user, once a test has said what the user answers. */
  async open(args: readonly string[] = [], env: NodeJS.ProcessEnv = {}, cwd = this.folder): Promise<Client> {
    const client = new Client({ name: "Some Client", version: "1.2.3" }, { capabilities: { elicitation: {} } });
    this.#clients.push(client);
    const all = { ...this.cli.environment(), ...env };
    const defined = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, "mcp", ...args],
        env: Object.fromEntries(defined),
        cwd,
        stderr: "inherit",
      }),
    );
    return client;
  }

  async killDaemon(): Promise<void> {
    const { pid } = this.cli.runFile();
    process.kill(pid, "SIGKILL");
    await until("the daemon is dead", () => !isProcessAlive(pid));
  }

  async close(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
    await this.cli.close();
  }
}

/** A fresh home for each test of a file. */
export function useStdioClients(): () => StdioClients {
  let current: StdioClients | undefined;
  beforeEach(() => {
    current = new StdioClients();
  });
  afterEach(() => current?.close());
  return () => {
    if (!current) throw new Error("There is a home during tests only");
    return current;
  };
}
