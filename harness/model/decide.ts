import { fill, NothingThere } from "./placeholders.ts";
import { isOurTool, latestResults, type ModelRequest, type OfferedTool, userOf } from "./request.ts";
import type { Condition, Rule, Script, ScriptedCall } from "./script.ts";

/** What the model says to one request. */
export interface Decision {
  readonly text?: string;
  readonly calls: readonly DecidedCall[];
  readonly status?: number;
  /** Why the script could not go on as it was written. */
  readonly problem?: string;
}

export interface DecidedCall {
  readonly tool: OfferedTool;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Plays a script, request by request. */
export class Player {
  readonly #server: string;
  readonly #rules: { readonly rule: Rule; left: number }[];

  /** @param server name of our MCP server in the program's configuration */
  constructor({ rules }: Script, server: string) {
    this.#server = server;
    this.#rules = rules.map((rule) => ({ rule, left: rule.times ?? 1 }));
  }

  decide(request: ModelRequest): Decision {
    const entry = this.#rules.find(({ rule, left }) => left > 0 && fits(rule.when, request, this.#server));
    if (entry === undefined) return stuck("No rule fits");
    entry.left -= 1;
    const { answer } = entry.rule;
    if ("status" in answer) return { calls: [], status: answer.status };
    try {
      if ("text" in answer) return { text: String(fill(answer.text, request, this.#server)), calls: [] };
      return { calls: answer.calls.map((call) => this.#call(call, request)) };
    } catch (error) {
      if (error instanceof NothingThere) return stuck(error.message);
      throw error;
    }
  }

  #call(call: ScriptedCall, request: ModelRequest): DecidedCall {
    const tool = request.tools.find((each) => isOurTool(each, this.#server, call.tool));
    if (tool === undefined) throw new NothingThere(`No tool ${call.tool} is on offer`);
    return { tool, arguments: fill(call.arguments, request, this.#server) as Record<string, unknown> };
  }
}

/** Ends the turn, so that the program ends instead of going on by itself. */
function stuck(problem: string): Decision {
  return { text: `The script cannot go on. ${problem}.`, calls: [], problem };
}

function fits(when: Condition = {}, request: ModelRequest, server: string): boolean {
  const latest = latestResults(request);
  const holds = {
    user: (pattern: string) => matches(pattern, userOf(request)),
    result: (pattern: string) => latest.some(({ text }) => matches(pattern, text)),
    afterTool: (name: string) => latest.some((result) => isOurTool(result, server, name)),
    offers: (name: string) => request.tools.some((tool) => isOurTool(tool, server, name)),
  };
  return Object.entries(when).every(([key, value]) => holds[key as keyof Condition](value as string));
}

function matches(pattern: string, text: string): boolean {
  return new RegExp(pattern, "is").test(text);
}
