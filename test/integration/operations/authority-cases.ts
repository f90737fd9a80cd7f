import { type Authority, type RefusalReason, SESSION_HEADER } from "../../../protocol/index.ts";
import { signIn } from "../../support/browser.ts";
import { makeWorld, type World } from "../../support/fixtures.ts";
import type { CallOptions } from "../../support/http.ts";

/** Every kind of credential somebody may come with. Those of an execution belong to an agent of the world's scope. */
export const CREDENTIAL_KINDS = [
  "missing",
  "other scheme",
  "no scheme",
  "empty bearer",
  "unknown",
  "admin",
  "admin for the scope",
  "admin for a missing scope",
  "session",
  "session for the scope",
  "session for a missing scope",
  "cookie without proof",
  "proof without cookie",
  "session of another page",
  "session beside another token",
  "ended session",
  "scope",
  "scope naming itself",
  "scope naming another scope",
  "former scope",
  "scope of a deleted scope",
  "agent",
  "expired agent",
  "replaced agent",
  "agent replaced after it expired",
  "agent replaced after it retired",
  "retired agent",
  "removed agent",
  "agent of a rotated scope",
  "agent of a deleted scope",
  "reader",
  "publisher",
  "disabled reader",
  "rotated reader",
  "reader of a removed stream",
  "reader of a rotated scope",
  "A2A client",
  "disabled A2A client",
  "A2A client of a disabled publication",
  "connector",
  "rotated connector",
  "revoked connector",
  "connector of a rotated scope",
  "agent of a connector whose session connected again",
  "agent of a revoked connector",
] as const;
export type CredentialKind = (typeof CREDENTIAL_KINDS)[number];

export interface AuthorityWorld extends World {
  readonly credentials: Readonly<Record<CredentialKind, CallOptions>>;
}

/** Makes every kind of credential. Lets 40 s pass. */
export async function makeAuthorityWorld(world: World): Promise<AuthorityWorld> {
  const { intercom, scope } = world;
  const other = await makeWorld(intercom);
  const token = async (id: string) => (await scope.agent(id, { leaseMs: 30_000 })).token;
  const replaced = await token("replaced");
  await token("replaced");
  const retired = await token("retired");
  await intercom.call("retire", {}, { token: retired });
  const retiredAndReplaced = await token("retired-and-replaced");
  await intercom.call("retire", {}, { token: retiredAndReplaced });
  await token("retired-and-replaced");
  const removed = await token("removed");
  await scope.call("removeAgent", { agentId: "removed" });
  const rotated = await makeWorld(intercom);
  await intercom.admin.call("rotateScopeToken", { scopeId: rotated.scope.id });
  const deleted = await makeWorld(intercom);
  await intercom.admin.call("deleteScope", { scopeId: deleted.scope.id, confirmScopeId: deleted.scope.id });
  const outside = await makeFormerCredentials(world);
  const connectors = await makeConnectors(world);
  const expired = await token("expired");
  const expiredAndReplaced = await token("expired-and-replaced");
  await intercom.advance(40_000);
  await token("expired-and-replaced");
  const admin = intercom.adminToken;
  const browsers = await makeBrowsers(world);
  return {
    ...world,
    credentials: {
      missing: {},
      "other scheme": { headers: { Authorization: `Basic ${world.alice.token}` } },
      "no scheme": { headers: { Authorization: world.alice.token } },
      "empty bearer": { headers: { Authorization: "Bearer " } },
      unknown: { token: "A".repeat(43) },
      admin: { token: admin },
      "admin for the scope": { token: admin, scopeId: scope.id },
      "admin for a missing scope": { token: admin, scopeId: "no-such-scope" },
      ...browsers,
      scope: { token: scope.token },
      "scope naming itself": { token: scope.token, scopeId: scope.id },
      "scope naming another scope": { token: scope.token, scopeId: other.scope.id },
      "former scope": { token: rotated.scope.token },
      "scope of a deleted scope": { token: deleted.scope.token },
      agent: { token: world.alice.token },
      "expired agent": { token: expired },
      "replaced agent": { token: replaced },
      "agent replaced after it expired": { token: expiredAndReplaced },
      "agent replaced after it retired": { token: retiredAndReplaced },
      "retired agent": { token: retired },
      "removed agent": { token: removed },
      "agent of a rotated scope": { token: rotated.alice.token },
      "agent of a deleted scope": { token: deleted.alice.token },
      reader: { token: world.outside.reader },
      publisher: { token: world.outside.publisher },
      "reader of a rotated scope": { token: rotated.outside.reader },
      "A2A client": { token: world.outside.a2aClient },
      "connector of a rotated scope": { token: rotated.connector },
      ...outside,
      ...connectors,
    },
  };
}

/** Credentials for those outside the scope that were good once. */
async function makeFormerCredentials({ scope, outside, fresh }: World) {
  const reader = async (streamId: string) =>
    scope.call("createOutputPrincipal", { streamId, label: "former", permissions: ["read"] });
  const disabled = await reader(outside.streamId);
  await scope.call("disableOutputPrincipal", { principalId: disabled.principal.id });
  const rotated = await reader(outside.streamId);
  await scope.call("rotateOutputPrincipal", { principalId: rotated.principal.id });
  const removedStream = await scope.call("createOutputStream", { name: fresh("stream") });
  const ofRemoved = await reader(removedStream.id);
  await scope.call("removeOutputStream", { streamId: removedStream.id });
  const client = await scope.call("createA2aPrincipal", { publicationId: outside.publicationId, label: "former" });
  await scope.call("disableA2aPrincipal", { principalId: client.principal.id });
  const { id: agentId } = await scope.agent(fresh("agent"));
  const hidden = await scope.call("publishAgentCard", { agentId });
  const ofHidden = await scope.call("createA2aPrincipal", { publicationId: hidden.id, label: "former" });
  await scope.call("disableAgentCardPublication", { publicationId: hidden.id });
  return {
    "disabled reader": { token: disabled.credential },
    "rotated reader": { token: rotated.credential },
    "reader of a removed stream": { token: ofRemoved.credential },
    "disabled A2A client": { token: client.credential },
    "A2A client of a disabled publication": { token: ofHidden.credential },
  };
}

/** Browsers that are signed in, and requests that are not quite theirs. */
async function makeBrowsers({ intercom, scope }: World) {
  const { headers } = await signIn(intercom);
  const ended = await signIn(intercom);
  await intercom.admin.call("endUiSession", { sessionId: ended.session.id });
  const { Cookie, [SESSION_HEADER]: proof, ...ownPage } = headers;
  return {
    session: { headers },
    "session for the scope": { headers, scopeId: scope.id },
    "session for a missing scope": { headers, scopeId: "no-such-scope" },
    "cookie without proof": { headers: { ...ownPage, Cookie: Cookie ?? "" } },
    "proof without cookie": { headers: { ...ownPage, [SESSION_HEADER]: proof ?? "" } },
    "session of another page": { headers: { ...headers, "Sec-Fetch-Site": "same-site" } },
    "session beside another token": { headers, token: "A".repeat(43) },
    "ended session": { headers: ended.headers },
  };
}

/** Secrets of connectors, and tokens of agents that came from one. */
async function makeConnectors({ intercom, scope, connector, fresh }: World) {
  const issue = () => scope.call("createConnector", { name: fresh("connector") });
  const rotated = await issue();
  await scope.call("rotateConnector", { connectorId: rotated.connector.id });
  const revoked = await issue();
  const ofRevoked = await intercom.call("connect", {}, { token: revoked.credential });
  await scope.call("revokeConnector", { connectorId: revoked.connector.id });
  const connected = async () => (await intercom.call("connect", { session: "one" }, { token: connector })).agentToken;
  const former = await connected();
  await connected();
  return {
    connector: { token: connector },
    "rotated connector": { token: rotated.credential },
    "revoked connector": { token: revoked.credential },
    "agent of a connector whose session connected again": { token: former },
    "agent of a revoked connector": { token: ofRevoked.agentToken },
  };
}

export type Verdict =
  | "accepted"
  | { readonly code: "UNAUTHENTICATED"; readonly reason: RefusalReason }
  | { readonly code: "PERMISSION_DENIED" | "NOT_FOUND" };

function unauthenticated(reason: RefusalReason): Verdict {
  return { code: "UNAUTHENTICATED", reason };
}

const ABSENT: readonly CredentialKind[] = [
  ...(["missing", "other scheme", "no scheme", "empty bearer"] as const),
  ...(["cookie without proof", "proof without cookie", "session of another page"] as const),
];
/** Good or not, these have no token. */
const TOKENLESS: readonly CredentialKind[] = [
  ...ABSENT,
  ...(["session", "session for the scope", "session for a missing scope", "ended session"] as const),
];

/** What the agent rules say of tokens that belong to an execution; undefined for all others. */
function verdictOnExecution(kind: CredentialKind, expiredOk: boolean): Verdict | undefined {
  switch (kind) {
    case "agent":
      return "accepted";
    case "expired agent":
      return expiredOk ? "accepted" : unauthenticated("expired");
    case "retired agent":
      return expiredOk ? "accepted" : unauthenticated("retired");
    case "replaced agent":
    case "agent replaced after it expired":
    case "agent replaced after it retired":
    case "agent of a connector whose session connected again":
      return unauthenticated("replaced");
    case "removed agent":
    case "agent of a rotated scope":
    case "agent of a revoked connector":
      return unauthenticated("retired");
    default:
      return undefined;
  }
}

function verdictOnOwner(kind: CredentialKind): Verdict {
  switch (kind) {
    case "admin for the scope":
    case "session for the scope":
    case "scope":
    case "scope naming itself":
      return "accepted";
    case "admin for a missing scope":
    case "session for a missing scope":
      return { code: "NOT_FOUND" };
    case "scope naming another scope":
    case "agent":
    case "reader":
    case "publisher":
    case "A2A client":
    case "connector":
      return { code: "PERMISSION_DENIED" };
    default:
      return unauthenticated(ABSENT.includes(kind) ? "missing" : "unknown");
  }
}

/** The rules of "Authority and its errors" in one place. */
export function verdict(authority: Authority, kind: CredentialKind): Verdict {
  const stranger = unauthenticated(TOKENLESS.includes(kind) ? "missing" : "unknown");
  switch (authority) {
    case "none":
      return "accepted";
    case "admin":
      if (/^(admin|session( for|$))/.test(kind)) return "accepted";
      return kind === "ended session" ? unauthenticated("unknown") : stranger;
    case "agent":
      return verdictOnExecution(kind, false) ?? stranger;
    case "agent-expired-ok":
      return verdictOnExecution(kind, true) ?? stranger;
    case "scope":
      return verdictOnOwner(kind);
    case "scope-or-agent":
      return verdictOnExecution(kind, false) ?? verdictOnOwner(kind);
    case "output-publish":
      return verdictOnExecution(kind, false) ?? (kind === "publisher" ? "accepted" : stranger);
    case "output-read": {
      const owner = verdictOnOwner(kind);
      // Who may not own a scope but something else is nobody here.
      const known = owner === "accepted" || (owner.code !== "UNAUTHENTICATED" && kind.includes("scope"));
      return known ? owner : kind === "reader" ? "accepted" : stranger;
    }
    case "a2a":
      return kind === "A2A client" ? "accepted" : stranger;
    case "connector":
      return kind === "connector" ? "accepted" : stranger;
  }
}
