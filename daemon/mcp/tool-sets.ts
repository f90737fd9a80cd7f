import { IntercomError, type ToolSetName } from "../../protocol/index.ts";
import type { ToolSet } from "./tool.ts";
import { bus } from "./tools/bus.ts";

const toolSets: ReadonlyMap<string, ToolSet> = new Map([[bus.name, bus]]);

/**
 * The tool set a client asks for in the query of the address, `?tools=NAME`, else that of its credential.
 * @throws {IntercomError} INVALID_ARGUMENT for an unknown name or parameter
 */
export function chooseToolSet(query: string, fallback: ToolSetName = "bus"): ToolSet {
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => name !== "tools");
  if (unknown !== undefined) throw new IntercomError("INVALID_ARGUMENT", `${unknown}: unknown field; expected tools`);
  const [name = fallback, ...more] = parameters.getAll("tools");
  const toolSet = toolSets.get(name);
  if (!toolSet || more.length > 0) {
    throw new IntercomError("INVALID_ARGUMENT", `tools: expected one of ${[...toolSets.keys()].join(", ")}`);
  }
  return toolSet;
}
