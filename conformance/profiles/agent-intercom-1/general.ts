import {
  COMPATIBLE_PROTOCOLS,
  FEATURES,
  type OperationName,
  operationNames,
  operationOf,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
  pathParameters,
} from "../../../protocol/index.ts";
import { anyText, equal, holds, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { isRecord, refusalOf } from "../../http/envelope.ts";
import type { Party } from "./party.ts";
import type { AgentParty, OwnerParty, Stage } from "./stage.ts";

const UNKNOWN_FIELD = "surprise";

/** A target that ignores the unknown field would stop in the middle of the run. */
const NOT_WITH_UNKNOWN_FIELDS: readonly OperationName[] = ["shutdown"];

function issuesOf(details: Readonly<Record<string, unknown>> | undefined): { field: unknown; problem: unknown }[] {
  return Array.isArray(details?.issues)
    ? details.issues.filter(isRecord).map(({ field, problem }) => ({ field, problem }))
    : [];
}

/** Who may call an operation, as far as a token of the scope decides it. */
function callerFor(name: OperationName, stage: Stage, owner: OwnerParty, agent: AgentParty): Party | undefined {
  switch (operationOf(name).authority) {
    case "none":
      return stage.nobody;
    case "admin":
      return stage.admin;
    case "scope":
      return owner;
    case "agent":
    case "agent-expired-ok":
    case "scope-or-agent":
      return agent;
    default:
      return undefined;
  }
}

/** What holds for every call. */
export const generalChecks: readonly Check<Stage>[] = [
  {
    name: "health-identity",
    proves: "/health names agent-intercom, its version, every feature, and the protocols whose clients work as well.",
    async run({ nobody, run }) {
      const health = await nobody.call("health", {});
      const { name, protocolVersion, status } = health;
      const expected = { name: PROTOCOL_NAME, protocolVersion: PROTOCOL_VERSION, status: "ready" };
      equal("the identity in /health", { name, protocolVersion, status }, expected);
      for (const feature of FEATURES) {
        const got = health.features;
        holds("the features in /health", got.includes(feature), { expected: `${feature} among them`, got });
      }
      for (const protocol of COMPATIBLE_PROTOCOLS) {
        const got = health.compatible;
        holds("the compatible protocols", got.includes(protocol), { expected: `${protocol} among them`, got });
      }
      const alias = await run.http.send("GET", "/health/ready");
      matches("/health/ready", alias, { status: 200, body: { instanceId: health.instanceId, status: "ready" } });
      matches("/health/live", await nobody.call("liveness", {}), { name: PROTOCOL_NAME, status: "alive" });
    },
  },
  {
    name: "unknown-fields-refused",
    proves: "Every operation refuses a field it does not know, and names it.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      for (const name of operationNames) {
        const op = operationOf(name);
        // The credentials and error forms of other protocols are theirs.
        if (NOT_WITH_UNKNOWN_FIELDS.includes(name) || !["envelope", "bare", "events"].includes(op.framing)) continue;
        const caller = callerFor(name, stage, owner, ada);
        if (!caller) continue;
        const path = Object.fromEntries(pathParameters(op.path).map((field) => [field, "nothing"]));
        const answer = await caller.send(name, { ...path, [UNKNOWN_FIELD]: "x" });
        const { message, details } = refusalOf(answer, "INVALID_ARGUMENT");
        const isNamed = [message, ...issuesOf(details).map(({ field }) => field)].some((text) =>
          String(text).includes(UNKNOWN_FIELD),
        );
        const expected = `it names ${UNKNOWN_FIELD}`;
        holds(`the refusal of ${name}`, isNamed, { expected, got: { message, details } });
      }
    },
  },
  {
    name: "input-error-details",
    proves: "INVALID_ARGUMENT lists each field that is wrong and says what was expected.",
    async run(stage) {
      const { ada } = await stage.team();
      const input = { to: "not an id", body: "", mode: "whisper" };
      const { message, details } = await ada.refused("sendMessage", input, "INVALID_ARGUMENT");
      const issues = issuesOf(details);
      equal("the fields that are wrong", issues.map(({ field }) => field).sort(), ["body", "mode", "to"]);
      matches("the first issue", issues[0], { problem: anyText });
      holds("the message", message.startsWith(`${String(issues[0]?.field)}: `), {
        expected: "it begins with the field",
        got: message,
      });
      const notJson = await ada.http.send("POST", "/v1/messages", "{", { token: ada.token });
      refusalOf(notJson, "INVALID_ARGUMENT");
      const list = await ada.http.send("POST", "/v1/messages", [], { token: ada.token });
      refusalOf(list, "INVALID_ARGUMENT");
    },
  },
  {
    name: "wrong-method-names-the-right-ones",
    proves: "A path called with a method it does not have is 405 with Allow; an unknown path is 404.",
    async run({ run }) {
      const cases = [
        { method: "GET", path: "/v1/messages", allow: ["POST"] },
        { method: "PUT", path: "/v1/scope", allow: ["GET", "PATCH"] },
        { method: "DELETE", path: "/v1/agents", allow: ["GET", "POST"] },
        { method: "PATCH", path: "/v1/links", allow: ["DELETE", "POST"] },
        { method: "POST", path: "/v1/me", allow: ["GET", "PATCH"] },
      ];
      for (const { method, path, allow } of cases) {
        const answer = await run.http.send(method, path);
        refusalOf(answer, "METHOD_NOT_ALLOWED");
        const got = (answer.headers.get("allow") ?? "").split(",").map((each) => each.trim());
        holds(
          `Allow of ${path}`,
          allow.every((each) => got.includes(each)),
          { expected: allow, got },
        );
      }
      refusalOf(await run.http.send("GET", "/v1/nothing-of-this-kind"), "NOT_FOUND");
    },
  },
  {
    name: "foreign-origin-refused",
    proves: "A page of another origin that runs in a browser of this machine is refused, whatever it asks.",
    async run({ run }) {
      for (const path of ["/health", "/v1/scope"]) {
        const answer = await run.http.send("GET", path, undefined, { headers: { Origin: "http://pages.example" } });
        refusalOf(answer, "PERMISSION_DENIED");
      }
    },
  },
];
