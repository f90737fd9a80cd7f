import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS, type OperationName, operationNames, operationOf } from "../../../protocol/index.ts";
import { credentialsFor, makeWorld, prepare, type World } from "../../support/fixtures.ts";
import { useDaemon } from "../../support/use-daemon.ts";
import { ABSENT, type BoundaryCase, boundaryCases } from "./boundary-cases.ts";

const intercom = useDaemon();
type Input = Record<string, unknown>;

/** What else an input needs so that a value of the field can be right. */
function companions(name: OperationName, { field, value }: BoundaryCase): Input {
  if (name === "deleteScope") return { scopeId: value, confirmScopeId: value };
  if (name === "sendMessage" || name === "sendHumanMessage") {
    if (field === "responseTo" || value === "response") return { mode: "response", responseTo: "msg_unknown" };
    if (value === "human") return { to: "human" };
  }
  if (name === "askHuman" && value === "choice") return { options: ["yes", "no"] };
  return {};
}

/** Values the schema allows and the operation cannot take, or not at once. */
function isElsewhere(name: OperationName, { field, what }: BoundaryCase): boolean {
  return (
    // These cursors are numbers inside.
    (field === "before" && name !== "pruneScope") ||
    ["listLinks after", "listMyRequests after"].includes(`${name} ${field}`) ||
    // Beyond the newest event or value.
    (["listEvents after", "listOutputValues after"].includes(`${name} ${field}`) && what.startsWith("most")) ||
    // Together with a title this is more than all context may have: see below.
    (field === "context.0.mediaType" && what.startsWith(`${LIMITS.contextTotalBytes} bytes`)) ||
    // A stream: see the tests of events.
    name === "watchAllEvents"
  );
}

function topLevel(field: string): string {
  return field.split(".")[0] as string;
}

function withCase(input: Input, each: BoundaryCase): Input {
  const changed = { ...input, [topLevel(each.field)]: each.value };
  if (each.value === ABSENT) delete changed[each.field];
  return changed;
}

/** What the daemon holds, as far as one can see it. */
async function state(): Promise<unknown> {
  const { totals, scopes, eventSequence } = await intercom().admin.call("overview", {});
  return { totals, scopes, eventSequence };
}

const withFields = operationNames.filter((name) => boundaryCases(name).length > 0);

describe.each(withFields)("%s", (name) => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(intercom());
  });

  const credentials = async (caller = world.alice) => credentialsFor(world, operationOf(name).authority, caller);
  const refused = boundaryCases(name).filter((each) => !each.fits);
  const accepted = boundaryCases(name).filter((each) => each.fits && !isElsewhere(name, each));

  test("refuses what does not fit, names the field, and stores nothing", async () => {
    const { input, caller } = await prepare(world, name);
    const before = await state();
    for (const each of refused) {
      const answer = await intercom().refused(name, withCase(input, each), await credentials(caller));
      const label = `${each.field} ${each.what}`;
      expect(answer, label).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
      expect(answer.message.startsWith(`${each.field}: `), `${label}: ${answer.message.slice(0, 200)}`).toBe(true);
      expect(answer.details?.issues, label).toContainEqual(expect.objectContaining({ field: each.field }));
    }
    expect(await state()).toEqual(before);
  });

  if (accepted.length > 0)
    test("takes what just fits", async () => {
      for (const each of accepted) {
        const { input, caller } = await prepare(world, name);
        const changed = withCase({ ...input, ...companions(name, each) }, each);
        const answer = await intercom().send(name, changed, await credentials(caller));
        const { error } = answer.body as { error?: { code: string; message: string } };
        // A name nobody has and an answer nobody waits for are refused for other reasons.
        const code = error && error.code !== "INVALID_ARGUMENT" ? "accepted" : error?.message;
        expect(code ?? "accepted", `${each.field} ${each.what}`).toBe("accepted");
        if (!error) expect(answer.status).toBeLessThan(300);
      }
    });
});

test("fields of every kind are among the cases", () => {
  const cases = withFields.flatMap((name) => boundaryCases(name).map((each) => `${name}.${each.field} ${each.what}`));
  expect(cases).toEqual(
    expect.arrayContaining([
      "sendMessage.body 65537 bytes of multi-byte characters",
      "sendMessage.context.0.uri 4097 bytes",
      "registerAgent.capabilities.0.description 512 bytes",
      "registerAgent.metadata.pid one above",
      "registerAgent.metadata.unheardOf unknown field",
      "reserveInbox.waitMs one above",
      "listEvents.limit most 100",
      "acknowledgeMessages.messageIds 101 entries",
    ]),
  );
});
