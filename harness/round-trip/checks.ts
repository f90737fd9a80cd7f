import type { Message } from "../../client/index.ts";
import { SERVER_NAME } from "../../connect/index.ts";
import { isOurTool, latestResults, type ModelRequest, ourTools } from "../model/request.ts";
import type { ScriptedModel } from "../model/server.ts";
import type { Ended } from "../process.ts";
import type { Counterpart } from "./counterpart.ts";
import { NEEDED_TOOLS, type Texts } from "./script.ts";

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  readonly ok: boolean;
  /** What was seen: when it is wrong always, else where it says more. */
  readonly detail?: string;
}

/** All that a round trip left behind. */
export interface Traces {
  readonly ended: Ended;
  readonly model: Pick<ScriptedModel, "exchanges" | "problems">;
  readonly counterpart: Pick<Counterpart, "id" | "heard">;
  readonly texts: Texts;
  /** Messages of the scope, as its owner sees them. */
  readonly messages: readonly Message[];
}

const DETAIL_LENGTH = 300;

/** What a round trip shows, from both ends: what the program showed its model, and what the daemon holds. */
export function checksOf({ ended, model, counterpart, texts, messages }: Traces): Check[] {
  const requests = model.exchanges.map(({ request }) => request);
  const tools = requests[0] ? ourTools(requests[0], SERVER_NAME).map(({ name }) => name) : [];
  const missing = NEEDED_TOOLS.filter((name) => !tools.includes(name));
  const { request, reply } = counterpart.heard;
  const toProgram = messages.filter(({ from }) => from === counterpart.id);
  const acknowledged = toProgram.filter(({ state }) => state === "acknowledged").length;
  const shown = (tool: string, text: string) => requests.some((each) => wasShown(each, tool, text));
  const stuck = shorten(model.problems[0] ?? "the program did not come this far");
  return [
    check("starts", ended.code === 0 && requests.length > 0, startTrouble(ended, requests.length)),
    check(
      "tools",
      missing.length === 0,
      tools.length === 0 ? "none is offered" : `missing: ${missing.join(", ")}`,
      `${tools.length} listed`,
    ),
    check("discover", shown("list_agents", `"${counterpart.id}"`), stuck),
    check("send", request?.body === texts.request, stuck, request?.from && `as ${request.from}`),
    check("receive", shown("check_inbox", texts.question), stuck),
    check("reply", reply?.body === texts.reply, stuck),
    check("answer", shown("check_inbox", texts.answer), stuck),
    check(
      "acknowledge",
      toProgram.length === 2 && acknowledged === 2,
      `${acknowledged} of ${toProgram.length} messages are acknowledged`,
    ),
  ];
}

function check(name: string, ok: boolean, trouble: string, detail?: string): Check {
  const said = ok ? detail : trouble;
  return said === undefined || said === "" ? { name, ok } : { name, ok, detail: said };
}

function startTrouble({ code, timedOut, stdout, stderr }: Ended, requests: number): string {
  const said = shorten(lastLine(stderr) || lastLine(stdout));
  const how = timedOut ? "it did not end in time" : `it ended with ${code ?? "a signal"}`;
  const asked = requests === 0 ? " before it asked the model anything" : "";
  return said === "" ? `${how}${asked}` : `${how}${asked}, and last said: ${said}`;
}

function wasShown(request: ModelRequest, tool: string, text: string): boolean {
  return latestResults(request).some((result) => isOurTool(result, SERVER_NAME, tool) && result.text.includes(text));
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}

function shorten(text: string): string {
  return text.length > DETAIL_LENGTH ? `${text.slice(0, DETAIL_LENGTH)}...` : text;
}
