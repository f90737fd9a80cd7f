/** Which of the providers' interfaces a program spoke. */
export type Api = "responses" | "chat" | "messages";

/** A tool as the program offered it to the model, which is how the program received it and what it made of it. */
export interface OfferedTool {
  readonly name: string;
  /** Codex groups the tools of a server, and tells there what the server says of itself. */
  readonly namespace?: string | undefined;
  readonly namespaceDescription?: string | undefined;
  readonly description?: string | undefined;
  readonly schema?: unknown;
}

/** What a tool answered, as the program shows it to the model. */
export interface ShownResult {
  /** As it was called; see {@link OfferedTool}. */
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly text: string;
}

/** Somebody's turn in a conversation. */
export interface Turn {
  /** `note`: instructions beside the conversation, such as a system prompt. */
  readonly role: "user" | "assistant" | "note";
  readonly text: string;
  readonly results: readonly ShownResult[];
}

/** A request to a model, in whichever interface it came. */
export interface ModelRequest {
  readonly api: Api;
  readonly stream: boolean;
  readonly model: string;
  readonly turns: readonly Turn[];
  readonly tools: readonly OfferedTool[];
}

/** Everything the model is told beside the conversation. */
export function notesOf({ turns }: ModelRequest): string {
  return turns.flatMap(({ role, text }) => (role === "note" ? [text] : [])).join("\n");
}

/** What the person said last. */
export function userOf({ turns }: ModelRequest): string {
  return turns.findLast(({ role, results }) => role === "user" && results.length === 0)?.text ?? "";
}

/** All results of the conversation, the latest last. */
export function resultsOf({ turns }: ModelRequest): ShownResult[] {
  return turns.flatMap(({ results }) => results);
}

/** The results that the request ends with: what has come since the model spoke. */
export function latestResults({ turns }: ModelRequest): ShownResult[] {
  const spoke = turns.findLastIndex(({ role }) => role === "assistant");
  return turns.slice(spoke + 1).flatMap(({ results }) => results);
}

interface Named {
  readonly name: string;
  readonly namespace?: string | undefined;
}

/** True for our tool `wanted`, whatever the program has put before its name; its own tools may be called the same. */
export function isOurTool({ name, namespace }: Named, server: string, wanted: string): boolean {
  const full = namespace === undefined ? name : `${namespace}__${name}`;
  return new RegExp(`^(mcp__)?${server}_+${wanted}$`).test(full);
}

/** The tools of our server among those on offer, by their own names. */
export function ourTools({ tools }: ModelRequest, server: string): OfferedTool[] {
  return tools.flatMap((tool) => {
    const full = tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`;
    const own = new RegExp(`^(?:mcp__)?${server}_+(.+)$`).exec(full)?.[1];
    return own === undefined ? [] : [{ ...tool, name: own }];
  });
}
