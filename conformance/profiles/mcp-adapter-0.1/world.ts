import { CheckSkipped } from "../../core/failure.ts";
import { Produced } from "../../core/produced.ts";
import type { Run } from "../../core/run.ts";
import { removeAtEnd } from "../../core/scopes.ts";
import { Caller } from "../../http/caller.ts";
import { at } from "../../http/path.ts";
import { adapterEnvironment } from "../../mcp/adapter-environment.ts";
import type { McpClient } from "../../mcp/client.ts";
import { StdioServer } from "../../mcp/stdio.ts";
import { acknowledgement, messages, reservation, scopeCredential } from "../local-0.1/objects.ts";
import type { Agent } from "../local-0.1/world.ts";
import { ManagedSession } from "./session.ts";

const START = "adapter-start-and-execution-identity";

/** What the checks of `mcp-adapter-0.1` share: a worker that is reached through the adapter, and a controller over HTTP. */
export class AdapterWorld {
  readonly run: Run;
  readonly scopeId: string;
  readonly nobody: Caller;
  readonly owner = new Produced<Caller>(START, "the scope");
  readonly controller = new Produced<ManagedSession>(START, "the agent controller");
  readonly worker = new Produced<ManagedSession>(START, "the agent worker");
  readonly tools = new Produced<McpClient>(START, "the running adapter");
  /** Every adapter that was started; their standard error is looked at in the end. */
  readonly adapters: StdioServer[] = [];
  readonly #ownerSecrets: string[];

  constructor(run: Run) {
    this.run = run;
    this.scopeId = run.unique("mcp-adapter");
    this.nobody = new Caller(run.http);
    this.#ownerSecrets = [run.adminToken];
  }

  get ownerSecrets(): readonly string[] {
    return this.#ownerSecrets;
  }

  async createScope(): Promise<Caller> {
    removeAtEnd(this.run, this.scopeId);
    const admin = new Caller(this.run.http, this.run.adminToken);
    const { scopeToken } = await admin.post("/v1/scopes", { id: this.scopeId }, scopeCredential, 201);
    this.#ownerSecrets.push(scopeToken);
    return this.owner.set(new Caller(this.run.http, scopeToken));
  }

  session(id: string, connectTo: readonly string[] = []): Promise<ManagedSession> {
    return ManagedSession.start(this.run, this.owner.get(), { id, displayName: id, connectTo });
  }

  /** Starts the adapter for an execution that somebody else keeps alive. */
  startAdapter({ agent, token }: ManagedSession): StdioServer {
    return this.spawn([], {
      OCTOBER_BUS_ADDRESS: this.run.http.address,
      OCTOBER_BUS_AGENT_ID: agent.id,
      OCTOBER_BUS_EXECUTION_ID: agent.executionId,
      OCTOBER_BUS_AGENT_TOKEN: token,
    });
  }

  spawn(moreArgs: readonly string[], identity: Readonly<Record<string, string>>): StdioServer {
    const { adapter, env } = this.run;
    if (!adapter) throw new CheckSkipped("No adapter was named: give --adapter-command");
    const command = { command: adapter.command, args: [...adapter.args, ...moreArgs] };
    const server = new StdioServer(command, adapterEnvironment(env, this.#ownerSecrets, identity));
    this.adapters.push(server);
    this.run.atEnd(() => server.close());
    return server;
  }

  /** Empties an inbox past the adapter, so that one check's leftovers are not the next one's surprise. */
  async drain(agent: Agent): Promise<void> {
    const reserved = await agent.post("/v1/inbox/reserve", { limit: 100 }, reservation.nullable());
    if (!reserved) return;
    const got = await agent.post(at`/v1/inbox/${reserved.id}/commit`, {}, messages);
    await agent.post("/v1/messages/ack", { messageIds: got.map(({ id }) => id) }, acknowledgement);
  }

  /** Both agents with empty inboxes, and the tools of the worker. */
  async stage(): Promise<{ tools: McpClient; worker: Agent; controller: Agent }> {
    const tools = this.tools.get();
    const [worker, controller] = [this.worker.get().agent, this.controller.get().agent];
    for (const agent of [worker, controller]) await this.drain(agent);
    return { tools, worker, controller };
  }
}
