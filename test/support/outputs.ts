import type {
  OperationInput,
  OutputPermission,
  OutputPrincipal,
  OutputStream,
  OutputValue,
} from "../../protocol/index.ts";
import { Actor, type AgentActor, type ScopeActor } from "./actors.ts";
import type { TestDaemon } from "./daemon.ts";
import type { CallOptions } from "./http.ts";

/** Who holds a credential of a stream. */
export class CredentialActor extends Actor {
  readonly principal: OutputPrincipal;

  constructor(intercom: TestDaemon, principal: OutputPrincipal, credential: string) {
    super(intercom, credential);
    this.principal = principal;
  }

  get id(): string {
    return this.principal.id;
  }
}

/** Issues a credential of a stream. */
export async function issue(
  scope: ScopeActor,
  streamId: string,
  ...permissions: OutputPermission[]
): Promise<CredentialActor> {
  const issued = await scope.call("createOutputPrincipal", { streamId, label: permissions.join(" and "), permissions });
  return new CredentialActor(scope.intercom, issued.principal, issued.credential);
}

let streams = 0;

/** A stream in a scope of its own with an agent that publishes to it. */
export interface StreamWorld {
  readonly scope: ScopeActor;
  readonly stream: OutputStream;
  readonly agent: AgentActor;
}

export async function makeStream(
  intercom: TestDaemon,
  input: Partial<OperationInput<"createOutputStream">> = {},
): Promise<StreamWorld> {
  const scope = await intercom.scope();
  const agent = await scope.agent("ada", { leaseMs: 86_400_000 });
  streams += 1;
  const stream = await scope.call("createOutputStream", {
    name: `stream-${streams}`,
    publisherAgentIds: [agent.id],
    ...input,
  });
  return { scope, stream, agent };
}

/** Publishes a text. */
export function say(actor: Actor, streamId: string, value: string, options: CallOptions = {}): Promise<OutputValue> {
  return actor.call("publishOutput", { streamId, contentType: "text/plain", value }, options);
}

/** Publishes the texts `from` to `to` in turn. */
export async function sayNumbers(actor: Actor, streamId: string, from: number, to: number): Promise<void> {
  for (let n = from; n <= to; n += 1) await say(actor, streamId, String(n));
}

/** Counts of everything publishing could change. */
export function outputRows(intercom: TestDaemon): Readonly<Record<string, number>> {
  const tables = ["output_streams", "output_publishers", "output_values", "principals", "events", "idempotency"];
  return intercom.sql((database) =>
    Object.fromEntries(
      tables.map((table) => [table, database.prepare(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number]),
    ),
  );
}

/** The number a stream or agent has in the database. */
export function rowNo(intercom: TestDaemon, table: "output_streams" | "scopes", id: string): number {
  return intercom.sql((database) => database.prepare(`SELECT no FROM ${table} WHERE id = ?`).pluck().get(id) as number);
}
