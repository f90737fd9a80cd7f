import {
  ACTOR_ATTRIBUTE,
  EVENT_ATTRIBUTES,
  type EventType,
  event as eventShape,
  HUMAN_PARTY,
} from "../../../protocol/index.ts";
import { equal, holds, matches, read } from "../../core/assert.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Check } from "../../core/profile.ts";
import { refusalOf } from "../../http/envelope.ts";
import { readSse, type SseMessage } from "../../http/sse.ts";
import type { Stage } from "./stage.ts";

const STREAM = "/v1/admin/events";
const SECRET = "content that no event may hold";
const MAX_SEEN = 10_000;
/** So many events do not happen while a check runs. */
const BEYOND = 1_000_000;

/** Follows the daemon's event stream until `enough`. */
async function follow(
  stage: Stage,
  query: string,
  headers: Readonly<Record<string, string>>,
  during: () => Promise<unknown>,
  enough: (messages: readonly SseMessage[]) => boolean,
): Promise<SseMessage[]> {
  const { http, adminToken } = stage.run;
  const closing = new AbortController();
  const request = http.note("GET", `${STREAM}${query}`);
  const options = { token: adminToken, headers, signal: closing.signal, template: STREAM };
  const response = await http.open(request, undefined, options);
  http.seen(request, STREAM, response.status);
  const type = response.headers.get("content-type") ?? "";
  holds("the event stream", response.status === 200 && type.startsWith("text/event-stream"), {
    expected: "200 text/event-stream",
    got: `${response.status} ${type}`,
  });
  const messages: SseMessage[] = [];
  try {
    await during();
    for await (const message of readSse(response)) {
      messages.push(message);
      if (enough(messages)) return messages;
      if (messages.length > MAX_SEEN) break;
    }
    throw new CheckFailure("The event stream ended too early", {
      request,
      expected: "more events",
      got: messages.length,
    });
  } finally {
    closing.abort();
  }
}

function scopeOf(message: SseMessage): string {
  return read("the event", JSON.parse(message.data), eventShape).scopeId;
}

/** What is told of everything that happens. */
export const eventChecks: readonly Check<Stage>[] = [
  {
    name: "event-attributes",
    proves: "Events are numbered without gaps, carry the attributes of their type and no others, and never content.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const context = [{ kind: "text" as const, title: SECRET, text: SECRET }];
      const requestId = await ada.tell(ben, { body: SECRET, mode: "request", context });
      await ben.pull();
      await ben.tell(ada, { body: SECRET, mode: "response", responseTo: requestId });
      await ada.call("sendMessage", { to: HUMAN_PARTY, toKind: "human", body: SECRET });
      const { id: taskId } = await ada.call("addTask", { title: SECRET, description: SECRET });
      await ben.call("claimTask", { taskId });
      await ben.call("addTaskProgress", { taskId, kind: "blocker", text: SECRET });
      await ben.call("completeTask", { taskId, note: SECRET });
      const { id: escalationId } = await ada.call("askHuman", { question: SECRET, options: [SECRET, "no"] });
      await owner.call("resolveEscalation", { escalationId, answer: SECRET, note: SECRET });
      await ada.call("updateProfile", { displayName: SECRET, summary: SECRET });
      await ada.call("retire", {});
      const events = await owner.events();
      equal(
        "the revisions",
        events.map(({ revision }) => revision),
        events.map((_, index) => index + 1),
      );
      for (const event of events) {
        const known: readonly string[] | undefined = EVENT_ATTRIBUTES[event.type as EventType];
        if (!known) continue;
        const unknown = Object.keys(event.attributes).filter(
          (name) => !known.includes(name) && name !== ACTOR_ATTRIBUTE,
        );
        equal(`attributes of ${event.type} beyond its own`, unknown, []);
        const empty = Object.entries(event.attributes).filter(([, value]) => value === "");
        equal(`empty attributes of ${event.type}`, empty, []);
        holds(`the event ${event.type}`, !JSON.stringify(event).includes(SECRET), {
          expected: "no content",
          got: event,
        });
      }
    },
  },
  {
    name: "event-stream",
    proves: "The admin follows the events of all scopes as one stream with increasing ids.",
    async run(stage) {
      const [one, two] = [await stage.scope(), await stage.scope()];
      const during = async () => {
        await one.agent("ada");
        await two.agent("ben");
      };
      const both = (messages: readonly SseMessage[]) => {
        const scopes = messages.map(scopeOf);
        return scopes.includes(one.scopeId) && scopes.includes(two.scopeId);
      };
      const messages = await follow(stage, "", {}, during, both);
      const ids = messages.map(({ id }) => Number(id));
      equal(
        "the order of the ids",
        ids,
        [...new Set(ids)].sort((a, b) => a - b),
      );
      for (const token of [undefined, one.token]) {
        refusalOf(await stage.run.http.send("GET", STREAM, undefined, { token }), "UNAUTHENTICATED");
      }
    },
  },
  {
    name: "event-stream-resumes",
    proves: "A stream that was cut off goes on exactly where it ended, by Last-Event-ID or by `after`.",
    async run(stage) {
      const owner = await stage.scope();
      const { eventSequence } = await stage.admin.call("overview", {});
      for (const id of ["ada", "ben", "cleo"]) await owner.agent(id);
      const subjects = (messages: readonly SseMessage[]) =>
        messages
          .filter((message) => scopeOf(message) === owner.scopeId)
          .map(({ data }) => (JSON.parse(data) as { subjectId: string }).subjectId);
      const nothing = async () => {};
      const toCleo = (messages: readonly SseMessage[]) => subjects(messages).includes("cleo");
      const all = await follow(stage, `?after=${eventSequence}`, {}, nothing, toCleo);
      equal("the events after a position", subjects(all), ["ada", "ben", "cleo"]);
      const { id = "" } = all.find((message) => subjects([message]).includes("ada")) ?? {};
      const rest = await follow(stage, "", { "Last-Event-ID": id }, nothing, toCleo);
      equal("the events after Last-Event-ID", subjects(rest), ["ben", "cleo"]);
      // The header is newer than the address a browser repeats.
      const both = await follow(stage, `?after=${eventSequence}`, { "Last-Event-ID": id }, nothing, toCleo);
      equal("the events when both are given", subjects(both), ["ben", "cleo"]);
    },
  },
  {
    name: "event-stream-resync",
    proves: "A reader whose place in the stream does not exist is told so, and goes on from where it is told.",
    async run(stage) {
      const { ada } = await stage.team();
      const { eventSequence } = await stage.admin.call("overview", {});
      const told = (messages: readonly SseMessage[]) => messages.length > 0;
      const beyond = `?after=${eventSequence + BEYOND}`;
      const [resync] = await follow(stage, beyond, {}, async () => {}, told);
      equal("the first message", resync?.event, "resync");
      const add = () => ada.call("addTask", { title: "Followed" });
      const after = await follow(stage, `?after=${resync?.id}`, {}, add, told);
      matches("the first message after it", after, [{ event: "message" }]);
    },
  },
];
