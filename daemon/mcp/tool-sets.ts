import { IntercomError } from "../../protocol/index.ts";
import type { ToolSet } from "./tool.ts";
import { bus } from "./tools/bus.ts";
import { intercom } from "./tools/intercom/index.ts";
import { team } from "./tools/team/index.ts";

/** Every set there is, by its name. */
export const toolSets: ReadonlyMap<string, ToolSet> = new Map([team, bus, intercom].map((each) => [each.name, each]));

/**
 * The tool set a client asks for in the query of the address, `?tools=NAME`.
 * @param offered names of the sets to choose from
 * @param fallback name of the set for those who do not ask, if it is offered; else they get the first
 * @throws {IntercomError} INVALID_ARGUMENT for an unknown name or parameter
 */
export function chooseToolSet(
  query: string,
  offered: readonly [string, ...string[]],
  fallback: string = offered[0],
): ToolSet {
  const usual = offered.includes(fallback) ? fallback : offered[0];
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => name !== "tools");
  if (unknown !== undefined) throw new IntercomError("INVALID_ARGUMENT", `${unknown}: unknown field; expected tools`);
  const [name = usual, ...more] = parameters.getAll("tools");
  const toolSet = offered.includes(name) ? toolSets.get(name) : undefined;
  if (!toolSet || more.length > 0) {
    throw new IntercomError("INVALID_ARGUMENT", `tools: expected one of ${offered.join(", ")}`);
  }
  return toolSet;
}
