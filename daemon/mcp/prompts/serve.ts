import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Parts } from "../server.ts";
import { promptsFor, promptText } from "./prompts.ts";

/** How many suggestions a client gets at a time; the protocol allows no more. */
const MOST_SUGGESTIONS = 100;

/** Lists prompts, fills them in, and suggests agents where one has to be named. */
export function servePrompts({ server, toolSet, handling }: Parts): void {
  const prompts = promptsFor(toolSet.name);
  const find = (name: string) => prompts.find((each) => each.name === name);
  server.setRequestHandler("prompts/list", () => ({
    prompts: prompts.map(({ name, title, description, arguments: args }) => ({
      name,
      title,
      description,
      arguments: args,
    })),
  }));
  server.setRequestHandler("prompts/get", (request) => {
    const { name, arguments: args = {} } = request.params;
    const prompt = find(name);
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt ${JSON.stringify(name)}`);
    const text = promptText(prompt, args, toolSet.name);
    return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler("completion/complete", async (request, context) => {
    const { ref, argument } = request.params;
    const namesAgent =
      ref.type === "ref/prompt" ? find(ref.name)?.agents.includes(argument.name) : argument.name === "agent";
    if (!namesAgent) return { completion: { values: [] } };
    const begun = argument.value.toLowerCase();
    const peers = await handling(context).call("listPeers", {});
    const ids = peers
      .filter(
        ({ id, displayName }) => id.toLowerCase().startsWith(begun) || displayName.toLowerCase().startsWith(begun),
      )
      .map(({ id }) => id);
    const values = ids.slice(0, MOST_SUGGESTIONS);
    return { completion: { values, total: ids.length, hasMore: ids.length > values.length } };
  });
}
