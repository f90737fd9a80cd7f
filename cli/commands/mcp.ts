import { hostname } from "node:os";
import { resolveDirectories } from "../../daemon/runtime/paths.ts";
import { type AgentMetadata, toIdentifier } from "../../protocol/index.ts";
import { examples, type Register } from "../command.ts";
import { type Frame, readFrames } from "../mcp-front/frames.ts";
import { Front } from "../mcp-front/front.ts";
import { givenIdentity, type Identity } from "../mcp-front/identity.ts";
import { OwnAgent } from "../mcp-front/own-agent.ts";
import { projectScopeId } from "../mcp-front/project-scope.ts";

interface Options {
  readonly client?: string;
  readonly name?: string;
  readonly start?: boolean;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Speaks MCP on standard input and output, for clients that start their servers themselves. The client becomes an agent " +
        "of its project's scope and stays one while it runs; with AGENT_INTERCOM_ADDRESS and AGENT_INTERCOM_AGENT_TOKEN it is " +
        "the agent these name.",
    )
    .option("--client <id>", "which client this is, as agent-intercom connect calls it")
    .option("--name <name>", "what the agent is called (default: the client)")
    .option("--no-start", "do not start the daemon when none runs")
    .action(async (options: Options) => {
      const { io, options: global } = invocation();
      const { env } = io;
      let first: Frame | undefined;
      let identity: Promise<Identity> | undefined;
      const open = (): Promise<Identity> => {
        const given = givenIdentity(env);
        if (given) return Promise.resolve(given);
        const client = clientInfo(first);
        const folder = env.CLAUDE_PROJECT_DIR || process.cwd();
        return OwnAgent.start({
          directories: resolveDirectories({ env, runtimeDir: global.runtimeDir }),
          env,
          scopeId: global.scope || env.AGENT_INTERCOM_SCOPE_ID || env.AGENT_INTERCOM_SCOPE || projectScopeId(folder),
          name: options.name ?? options.client ?? (toIdentifier(client.name ?? "", 64) || "agent"),
          metadata: metadataOf(options.client ?? client.name, client.version, folder, env),
          mayStart: options.start !== false,
        });
      };
      const front = new Front(
        () => {
          // One that failed is tried again with the next message.
          identity ??= open().catch((error: unknown) => {
            identity = undefined;
            throw error;
          });
          return identity;
        },
        (answer) => {
          if (answer !== "") io.stdout.write(`${answer}\n`);
        },
      );
      for await (const frame of readFrames(io.stdin)) {
        first ??= frame;
        front.take(frame);
      }
      await front.stop();
      await (await identity?.catch(() => undefined))?.close();
    });
  examples(command, [
    ["mcp --client claude-code", "what agent-intercom connect puts into a client's configuration"],
    ["mcp --name reviewer --scope webshop"],
  ]);
};

interface ClientInfo {
  readonly name: string | undefined;
  readonly version: string | undefined;
}

/** What a client says of itself in its first message, in either era of the protocol. */
function clientInfo(frame: Frame | undefined): ClientInfo {
  const meta = frame?.params?._meta as Record<string, unknown> | undefined;
  const info = (frame?.params?.clientInfo ?? meta?.["io.modelcontextprotocol/clientInfo"]) as
    | Partial<ClientInfo>
    | undefined;
  const text = (value: unknown) => (typeof value === "string" && value.trim() !== "" ? value : undefined);
  return { name: text(info?.name), version: text(info?.version) };
}

function metadataOf(
  harness: string | undefined,
  version: string | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): AgentMetadata {
  const sessionId = env.CLAUDE_CODE_SESSION_ID;
  return {
    ...(harness ? { harness: harness.slice(0, 64) } : {}),
    ...(version ? { harnessVersion: version.slice(0, 64) } : {}),
    ...(sessionId ? { sessionId: sessionId.slice(0, 128) } : {}),
    cwd: folder.slice(0, 300),
    pid: process.ppid,
    host: hostname().slice(0, 200),
  };
}
