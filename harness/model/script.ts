/**
 * What a scripted model says, as data. The first rule that fits a request and is not used up answers it, so rules without
 * conditions are simply steps in their order.
 */
export interface Script {
  readonly rules: readonly Rule[];
}

export interface Rule {
  /** All that is given must hold; nothing given: it always fits. */
  readonly when?: Condition;
  readonly answer: ScriptedAnswer;
  /** How often it may answer; once unless given. */
  readonly times?: number;
}

/** Patterns are regular expressions that ignore case, and `.` also means a line break. */
export interface Condition {
  /** Tested against what the person said last. */
  readonly user?: string;
  /** Tested against the results the request ends with; never fits when it ends with none. */
  readonly result?: string;
  /** The tool whose result the request ends with, by its own name. */
  readonly afterTool?: string;
  /** A tool that must be on offer, by its own name. */
  readonly offers?: string;
}

/**
 * Strings in it may hold placeholders. `{{result.messages.0.id}}` is taken from the JSON of the latest result,
 * `{{check_inbox.messages.0.id}}` from that of the latest result of this tool, and `{{user:call it (\w+)}}` is what the
 * pattern, or its first group, finds in what the person said last. A string that is only a placeholder becomes the value,
 * whatever its type.
 */
export type ScriptedAnswer =
  /** Says something and ends the turn. */
  | { readonly text: string }
  | { readonly calls: readonly ScriptedCall[] }
  /** Fails as a provider does. */
  | { readonly status: number };

/** A call of one of our tools. The prefix that the program puts before its name is found from what it offers. */
export interface ScriptedCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** One step: a call of a tool. */
export function calls(tool: string, args: Readonly<Record<string, unknown>> = {}): Rule {
  return { answer: { calls: [{ tool, arguments: args }] } };
}

/** One step: says something and ends the turn. */
export function says(text: string): Rule {
  return { answer: { text } };
}
