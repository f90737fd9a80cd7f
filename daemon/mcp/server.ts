import { CLIENT_INFO_META_KEY, type RequestStateCodec, Server, type ServerContext } from "@modelcontextprotocol/server";
import { callsAs } from "./calls.ts";
import type { Changes } from "./changes.ts";
import type { Visit } from "./door/index.ts";
import type { ClientHints, IntercomGuest } from "./guests.ts";
import type { AskedState } from "./inline/inline.ts";
import type { Member } from "./member.ts";
import { servePrompts } from "./prompts/serve.ts";
import { serveResources } from "./resources/serve.ts";
import { serveTools } from "./serve-tools.ts";
import type { McpServices } from "./services.ts";
import type { ShownMessages } from "./shown-messages.ts";
import type { ToolContext, ToolSet } from "./tool.ts";

/** How long a client may rely on lists: they change with the version of the daemon only. */
const LIST = { ttlMs: 300_000, cacheScope: "private" } as const;

/** A request being answered: who asked, what it may do, and when to stop. */
export interface Handling extends ToolContext {
  readonly visit: Visit<IntercomGuest>;
  readonly member: Member;
  readonly context: ServerContext;
}

/** What each part of the server gets to serve with. */
export interface Parts {
  readonly server: Server;
  readonly services: McpServices;
  readonly toolSet: ToolSet;
  readonly states: RequestStateCodec<AskedState>;
  /** Absent: the client can be told of nothing. */
  readonly changes: Changes | undefined;
  handling(context: ServerContext): Handling;
}

export interface ServerOptions {
  readonly services: McpServices;
  readonly changes: Changes;
  readonly shown: ShownMessages;
  readonly states: RequestStateCodec<AskedState>;
  readonly first: Visit<IntercomGuest>;
  visitOf(context: ServerContext): Visit<IntercomGuest>;
}

/**
 * An MCP server for one request, or for one session. It knows nobody: whoever calls is who the credential of each request
 * says.
 */
export function createServer({ services, changes, shown, states, first, visitOf }: ServerOptions): Server {
  const { toolSet } = first.guest;
  // Clients of October Bus know tools and nothing else.
  const whole = services.dialect.resultsAsInTable;
  // A client can be told of changes where it listens: in a session, or by asking to listen as the modern era does.
  const tells = first.session !== undefined || first.kind === "stream" || isModern(first);
  const server = new Server(services.serverInfo, {
    capabilities: whole ? { tools: {}, resources: { subscribe: tells }, prompts: {}, completions: {} } : { tools: {} },
    instructions: toolSet.instructions,
    cacheHints: { "tools/list": LIST, "resources/list": LIST, "resources/templates/list": LIST, "prompts/list": LIST },
    jsonSchemaValidator: NO_VALIDATOR,
    requestState: { verify: states.verify },
  });
  const parts: Parts = {
    server,
    services,
    toolSet,
    states,
    changes: tells ? changes : undefined,
    handling(context) {
      const visit = visitOf(context);
      const { mcpReq } = context;
      // Outside of a session the end of the request ends its server, and everything in it.
      const signal = visit.session ? AbortSignal.any([mcpReq.signal, visit.mounted.signal]) : mcpReq.signal;
      const member = visit.guest.memberFor(visit, hintsOf(visit, context));
      return { visit, context, member, signal, shown, call: callsAs(services, member, signal) };
    },
  };
  serveTools(parts);
  if (whole) {
    serveResources(parts);
    servePrompts(parts);
  }
  return server;
}

const LONGEST_HINT = 64;

/** What the client tells of itself; nothing depends on its being true. */
function hintsOf({ session }: Visit<IntercomGuest>, { mcpReq }: ServerContext): ClientHints {
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const client = session?.client ?? (envelope[CLIENT_INFO_META_KEY] as Readonly<Record<string, unknown>> | undefined);
  return {
    threadId: hint(mcpReq._meta?.threadId, 128),
    name: hint(client?.name, LONGEST_HINT),
    version: hint(client?.version, LONGEST_HINT),
  };
}

function hint(value: unknown, length: number): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.slice(0, length) : undefined;
}

function isModern({ mounted }: Visit<IntercomGuest>): boolean {
  return mounted.request.headers["mcp-method"] !== undefined;
}

/** For answers to questions that a server asks its client, which are looked at where they arrive. */
const NO_VALIDATOR = {
  getValidator: () => {
    throw new Error("nothing is validated by the SDK here");
  },
};
