import { LIMITS, type OperationName, operationNames } from "../../../protocol/index.ts";
import { different, equal, matches } from "../../core/assert.ts";
import type { Check } from "../../core/profile.ts";
import { keyCases } from "./key-cases.ts";
import { naturalCases } from "./natural-cases.ts";
import type { Stage } from "./stage.ts";

/** Names in the words of reports: `addTask` becomes `add-task`. */
function words(name: OperationName): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Table order, so that reports of different versions can be laid side by side. */
function casesOf<C>(cases: Partial<Record<OperationName, C>>): [OperationName, C][] {
  return operationNames.flatMap((name) => (cases[name] ? [[name, cases[name]]] : []));
}

const keyChecks = casesOf(keyCases).map(([name, makeCase]): Check<Stage> => {
  return {
    name: `idempotency-key-${words(name)}`,
    proves: `${name} with the same Idempotency-Key does it once and answers the same; other content is CONFLICT.`,
    async run(stage) {
      const { owner, caller, input, other } = await makeCase(stage);
      const key = `key-${words(name)}`;
      const call = (content: object) => caller.result(name, { ...content }, { key });
      const first = await call(input);
      const revision = await owner.revision();
      equal(`the answer of the repeated ${name}`, await call(input), first);
      equal("the revision after the repeated call", await owner.revision(), revision);
      if (other) await caller.refused(name, { ...input, ...other }, "CONFLICT", { key });
      equal("the revision after other content", await owner.revision(), revision);
    },
  };
});

const naturalChecks = casesOf(naturalCases).map(([name, makeCase]): Check<Stage> => {
  return {
    name: `repeatable-${words(name)}`,
    proves: `${name} can be repeated: the second call changes nothing.`,
    async run(stage) {
      const { owner, caller, input, again, leavesEvents = false } = await makeCase(stage);
      const first = await caller.result(name, { ...input });
      const revision = owner ? await owner.revision() : 0;
      matches(`the answer of the repeated ${name}`, await caller.result(name, { ...input }), again ?? first);
      if (owner && !leavesEvents) equal("the revision after the repeated call", await owner.revision(), revision);
    },
  };
});

/** Calls that may be repeated. */
export const idempotencyChecks: readonly Check<Stage>[] = [
  ...keyChecks,
  ...naturalChecks,
  {
    name: "idempotency-keys-apart",
    proves: "A key belongs to one caller and one operation, survives a new execution, and has bounds of its own.",
    async run(stage) {
      const { owner, ada, ben } = await stage.team();
      const key = "shared";
      const input = { title: "Mine" };
      const { id } = await ada.call("addTask", input, { key });
      different("the task of another agent", (await ben.call("addTask", input, { key })).id, id);
      const owned = (await owner.call("addTask", input, { key })).id;
      different("the task of the owner", owned, id);
      equal("the owner's task by another credential", (await owner.byHeader.call("addTask", input, { key })).id, owned);
      const again = await owner.agent(ada.id, { connectTo: [ben.id] });
      equal("the task of the next execution", (await again.call("addTask", input, { key })).id, id);
      await again.refused("askHuman", { question: "Why?" }, "CONFLICT", { key });
      const long = "k".repeat(LIMITS.idempotencyKeyBytes);
      await again.call("addTask", input, { key: long });
      await again.refused("addTask", input, "INVALID_ARGUMENT", { key: `${long}k` });
      const both = { to: ben.id, body: "Hello.", idempotencyKey: "one" };
      await again.refused("sendMessage", both, "INVALID_ARGUMENT", { key: "another" });
    },
  },
  {
    name: "refusals-are-not-remembered",
    proves: "A key whose call was refused, or found nothing, can be used again once it would succeed.",
    async run(stage) {
      const { owner, ada } = await stage.team();
      const first = await ada.claimed();
      const { id: taskId } = await ada.call("addTask", { title: "Second", dependencies: [first] });
      await ada.refused("claimTask", { taskId }, "CONFLICT", { key: "claim" });
      await ada.call("completeTask", { taskId: first });
      matches("the claimed task", await ada.call("claimTask", { taskId }, { key: "claim" }), { status: "claimed" });
      equal("the next task", await ada.call("claimNextTask", {}, { key: "next" }), null);
      const { id } = await owner.call("addTask", { title: "Third" });
      matches("the next task later", await ada.call("claimNextTask", {}, { key: "next" }), { id });
      matches("the same call again", await ada.call("claimNextTask", {}, { key: "next" }), { id });
    },
  },
];
