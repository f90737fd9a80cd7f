import { isOurTool, type ModelRequest, resultsOf, userOf } from "./request.ts";

/** A placeholder that stands for nothing: the script expected another conversation than it got. */
export class NothingThere extends Error {
  override readonly name = "NothingThere";
}

const PLACEHOLDER = /\{\{(.+?)\}\}/gs;

/** Fills in the placeholders of a script's value. @throws {NothingThere} */
export function fill(value: unknown, request: ModelRequest, server: string): unknown {
  if (typeof value === "string") return fillText(value, request, server);
  if (Array.isArray(value)) return value.map((each) => fill(each, request, server));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fill(each, request, server)]));
}

function fillText(text: string, request: ModelRequest, server: string): unknown {
  const [whole] = [...text.matchAll(PLACEHOLDER)];
  if (whole?.[0] === text) return lookUp(whole[1] as string, request, server);
  return text.replaceAll(PLACEHOLDER, (_, expression: string) => {
    const value = lookUp(expression, request, server);
    return typeof value === "string" ? value : JSON.stringify(value);
  });
}

function lookUp(expression: string, request: ModelRequest, server: string): unknown {
  if (expression.startsWith("user:")) {
    const found = new RegExp(expression.slice("user:".length), "is").exec(userOf(request));
    if (found) return found[1] ?? found[0];
  } else {
    const [source = "", ...path] = expression.split(".");
    const result = resultsOf(request).findLast((each) => source === "result" || isOurTool(each, server, source));
    const value = result && path.reduce(memberOf, jsonIn(result.text));
    if (value !== undefined) return value;
  }
  throw new NothingThere(`Nothing is there for {{${expression}}}`);
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}

/** The JSON object in a text; programs put words of their own around it. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
  } catch {
    return undefined;
  }
}
