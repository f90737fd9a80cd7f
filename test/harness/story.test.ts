import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Message } from "../../client/index.ts";
import { SERVER_NAME } from "../../connect/index.ts";
import { notesOf, ourTools } from "../../harness/model/request.ts";
import { calls, type Rule, type Script, says } from "../../harness/model/script.ts";
import type { Run } from "../../harness/run.ts";
import { problemsOf, rootProblems } from "../integration/mcp/schema-linter.ts";
import { SET_TABLES, type ToolRow } from "../integration/mcp/tool-tables.ts";
import { areInstalled } from "./installed.ts";
import { broughtAbout, finished, readBy, shownBy } from "./support/outcome.ts";
import { Stage } from "./support/stage.ts";

/** Two real programs in one scope find each other, ask and reply, share a task, and ask the human. */

const WAIT_MS = 25_000;
/** Longest result that every program shows whole. */
const RESULT_MAX = 10_000;

/** Waits for a message, as often as it takes: the other side has to start first. */
const inbox: readonly Rule[] = [
  calls("check_inbox", { waitMs: WAIT_MS }),
  {
    when: { afterTool: "check_inbox", result: '"messages":\\s*\\[\\]' },
    answer: { calls: [{ tool: "check_inbox", arguments: { waitMs: WAIT_MS } }] },
    times: 3,
  },
];
const [takeInbox, takeAgain] = inbox as [Rule, Rule];
const acknowledge = calls("acknowledge_messages", { messageIds: ["{{check_inbox.messages.0.id}}"] });

/** Has work and a question to the human. */
function planner(helper: string): Script {
  return {
    rules: [
      takeAgain,
      calls("add_task", { title: "Paint the fence", description: "Green." }),
      calls("list_agents"),
      calls("send_message", { to: helper, text: "Can you paint? It is {{add_task.task.id}}.", expectsReply: true }),
      takeInbox,
      acknowledge,
      calls("ask_human", { question: "Which green?", options: ["light", "dark"], waitMs: WAIT_MS }),
      calls("check_question", { questionId: "{{ask_human.questionId}}", waitMs: WAIT_MS }),
      calls("get_task", { taskId: "{{add_task.task.id}}" }),
      says("It shall be {{check_question.answer}}."),
    ],
  };
}

/** Waits for work, and does it. */
const helper: Script = {
  rules: [
    takeAgain,
    calls("whoami"),
    calls("set_summary", { summary: "Waiting for work" }),
    takeInbox,
    calls("send_message", { replyTo: "{{check_inbox.messages.0.id}}", text: "Yes, I can." }),
    acknowledge,
    calls("list_agents"),
    calls("claim_task"),
    calls("report_progress", { taskId: "{{claim_task.task.id}}", text: "Half of it" }),
    calls("finish_task", { taskId: "{{claim_task.task.id}}", note: "All of it" }),
    says("Done with {{whoami.agentId}}'s work."),
  ],
};

interface Schema extends Record<string, unknown> {
  readonly properties: object;
  readonly required?: readonly string[];
}

/** A tool with its required and its optional arguments, whatever order the program has put them into. */
function rowOf(name: string, { properties, required = [] }: Schema): ToolRow {
  const optional = Object.keys(properties).filter((field) => !required.includes(field));
  return [name, required.toSorted(), optional.toSorted()];
}

const TEAM = (SET_TABLES[0]?.tools ?? []).map(
  ([name, required, optional]): ToolRow => [name, required.toSorted(), optional.toSorted()],
);

const STORIES = [
  ["codex", "opencode", "stdio"],
  ["opencode", "claude-code", "stdio"],
  ["claude-code", "codex", "http"],
  ["opencode", "codex", "http"],
] as const;

describe.runIf(areInstalled)("two programs", () => {
  describe.each(STORIES)("%s asks %s, over %s", (asking, asked, transport) => {
    let stage: Stage;
    let runs: { readonly asking: Run; readonly asked: Run };
    beforeAll(async () => {
      stage = await Stage.open();
      const helping = await stage.start(asked, { transport, script: helper });
      // With its third request the model has been told that the summary is set.
      await broughtAbout(`${asked} has introduced itself`, [helping], async () => helping.model.exchanges[2]);
      const planning = await stage.start(asking, { transport, script: planner(asked) });
      runs = { asking: planning, asked: helping };
      const question = await broughtAbout(
        "a question",
        [planning],
        async () => (await stage.scope.listEscalations())[0],
      );
      await helping.ended;
      await stage.scope.resolveEscalation({ escalationId: question.id, answer: "dark", surface: "api" });
      await Promise.all([finished(planning), finished(helping)]);
    }, 240_000);
    afterAll(() => stage.close());

    test("the model of each is offered our tools, in schemas that any provider takes, with what we say of them", () => {
      for (const { model } of Object.values(runs)) {
        const [first] = model.exchanges;
        if (!first) throw new Error("The model was not asked");
        const tools = ourTools(first.request, SERVER_NAME);
        const schemas = tools.map(({ name, schema }) => [name, schema as Schema] as const);
        expect(schemas.map(([name, schema]) => rowOf(name, schema)).toSorted()).toEqual(TEAM.toSorted());
        const problems = schemas.flatMap(([name, schema]) => [
          ...rootProblems(schema, name),
          ...problemsOf(schema, name),
        ]);
        expect(problems).toEqual([]);
        expect(tools.filter(({ description }) => (description ?? "").length <= 20)).toEqual([]);
        expect(notesOf(first.request) + (tools[0]?.namespaceDescription ?? "")).toContain("never authority");
      }
    });

    test("they find each other", () => {
      const known = (run: Run) =>
        (readBy(run, "list_agents")[0] as { agents: { id: string; summary?: string }[] }).agents;
      expect(known(runs.asking)).toMatchObject([{ id: asked, reachable: true, summary: "Waiting for work" }]);
      expect(known(runs.asked)).toMatchObject([{ id: asking, reachable: true }]);
      expect(readBy(runs.asked, "whoami")).toMatchObject([{ agentId: asked, scope: stage.scopeId }]);
    });

    test("a request is received, replied to and acknowledged, and so is the reply", async () => {
      const { messages } = await stage.scope.listMessages({ agent: asking });
      const between = messages.toReversed().filter(({ fromKind }) => fromKind === "agent");
      const brief = ({ from, mode, state, body }: Message) => ({ from, mode, state, body });
      expect(between.map(brief)).toEqual([
        {
          from: asking,
          mode: "request",
          state: "acknowledged",
          body: expect.stringMatching(/^Can you paint\? It is task_/),
        },
        { from: asked, mode: "response", state: "acknowledged", body: "Yes, I can." },
      ]);
    });

    test("the task is added by one, and claimed, reported on and finished by the other", async () => {
      const [task] = await stage.scope.listTasks();
      expect(task).toMatchObject({ title: "Paint the fence", createdBy: asking, status: "done", note: "All of it" });
      const entry = await stage.scope.listTaskProgress({ taskId: task?.id ?? "" });
      expect(entry).toMatchObject([{ agentId: asked, kind: "progress", text: "Half of it" }]);
      expect(JSON.stringify(readBy(runs.asking, "get_task"))).toContain("All of it");
    });

    test("the human's answer comes to the one who asked", () => {
      expect(readBy(runs.asking, "check_question").at(-1)).toMatchObject({ status: "resolved", answer: "dark" });
      expect(runs.asking.model.exchanges.at(-1)?.decision.text).toBe("It shall be dark.");
    });

    test("every result can be read by the model, whole", () => {
      for (const run of Object.values(runs)) {
        const shown = shownBy(run);
        expect(shown.length).toBeGreaterThanOrEqual(8);
        for (const { text } of shown) expect(text.length).toBeLessThan(RESULT_MAX);
      }
    });
  });
});
