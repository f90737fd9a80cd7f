import { hostname } from "node:os";
import { Option } from "commander";
import { resolveDirectories } from "../../daemon/runtime/paths.ts";
import { type AgentMetadata, TOOL_SETS, type ToolSetName, toIdentifier } from "../../protocol/index.ts";
import { examples, type Register } from "../command.ts";
import { ProfileStore } from "../connector/profiles.ts";
import { connectedAgent } from "../mcp-front/connected-agent.ts";
import { type Frame, readFrames } from "../mcp-front/frames.ts";
import { Front } from "../mcp-front/front.ts";
import { givenIdentity, type Identity } from "../mcp-front/identity.ts";
import { KeptAgent } from "../mcp-front/kept-agent.ts";
import { ownAgent } from "../mcp-front/own-agent.ts";
import { projectScopeId } from "../mcp-front/project-scope.ts";

interface Options {
  readonly client?: string;
  readonly name?: string;
  readonly profile?: string;
  readonly tools?: ToolSetName;
  readonly start?: boolean;
}

export const register: Register = (command, invocation) => {
  command
    .description(
      "Speaks MCP on standard input and output, for clients that start their servers themselves. The client becomes an agent " +
        "of its project's scope and stays one while it runs; with --profile it is an agent of a connector, and with " +
        "AGENT_INTERCOM_ADDRESS and AGENT_INTERCOM_AGENT_TOKEN the agent these name.",
    )
    .option("--client <id>", "which client this is, as agent-intercom connect calls it")
    .option("--name <name>", "what the agent is called (default: the client)")
    .option("--profile <name>", "be an agent of the connector whose credential connector create --save has kept")
    .addOption(new Option("--tools <set>", "tools the client gets").choices([...TOOL_SETS]))
    .option("--no-start", "do not start the daemon when none runs")
    .action(async (options: Options) => {
      const { io, options: global } = invocation();
      const { env } = io;
      let first: Frame | undefined;
      let identity: Promise<Identity> | undefined;
      const open = (): Promise<Identity> => {
        const { tools } = options;
        // A profile on the command line was meant for this client; the environment may be somebody else's.
        const given = options.profile === undefined ? givenIdentity(env, tools) : undefined;
        if (given) return Promise.resolve(given);
        const client = clientInfo(first);
        const folder = env.CLAUDE_PROJECT_DIR || process.cwd();
        const directories = resolveDirectories({ env, runtimeDir: global.runtimeDir });
        const metadata = metadataOf(options.client ?? client.name, client.version, folder, env);
        const common = { directories, env, metadata, tools, mayStart: options.start !== false };
        const profile = options.profile ?? env.AGENT_INTERCOM_PROFILE;
        if (profile) {
          const profiles = new ProfileStore(directories.credentialsFile);
          return KeptAgent.start(connectedAgent({ ...common, profiles, profile }));
        }
        return KeptAgent.start(
          ownAgent({
            ...common,
            scopeId: global.scope || env.AGENT_INTERCOM_SCOPE_ID || env.AGENT_INTERCOM_SCOPE || projectScopeId(folder),
            name: options.name ?? options.client ?? (toIdentifier(client.name ?? "", 64) || "agent"),
          }),
        );
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
    ["mcp --profile claude", "after: agent-intercom connector create claude --save"],
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
