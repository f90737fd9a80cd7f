import { describe, expect, it } from "vitest";
import { operationNames, operationOf, pathParameters } from "../../protocol/index.ts";
import { Router } from "./router.ts";

const router = new Router();
const routes = operationNames.flatMap((name) => {
  const { method, path, aliases = [] } = operationOf(name);
  return [path, ...aliases].map((template) => ({ name, method, template }));
});

const refused = (code: string, details?: unknown) =>
  expect.objectContaining({ code, ...(details === undefined ? {} : { details }) });

describe("router", () => {
  it.each(routes)("finds $name at $method $template", ({ name, method, template }) => {
    const values = Object.fromEntries(pathParameters(template).map((field, index) => [field, `value:${index}.x-y_z`]));
    const path = template.replace(/\{(\w+)\}/g, (_, field: string) => values[field] as string);
    expect(router.match(method, path)).toEqual({ name, params: values });
  });

  it.each(routes)("names what $template takes when the method is another", ({ template }) => {
    const path = template.replace(/\{\w+\}/g, "x");
    const allow = routes
      .filter((route) => route.template === template)
      .map(({ method }) => method)
      .sort();
    for (const method of ["TRACE", "OPTIONS", "HEAD", "get"]) {
      expect(() => router.match(method, path)).toThrow(refused("METHOD_NOT_ALLOWED", { allow }));
    }
  });

  it("prefers a literal segment to a parameter", () => {
    expect(router.match("GET", "/v1/tasks/page").name).toBe("listTasksPage");
    expect(router.match("GET", "/v1/tasks/pages")).toEqual({ name: "getTask", params: { taskId: "pages" } });
    expect(router.match("POST", "/v1/tasks/claim-next").name).toBe("claimNextTask");
    expect(router.match("GET", "/v1/scope/escalations/page").name).toBe("listEscalationsPage");
  });

  it.each([
    ["percent-encoding", "/v1/tasks/a%3Ab", "a:b"],
    ["an encoded slash", "/v1/tasks/a%2Fclaim", "a/claim"],
    ["an encoded dot segment", "/v1/tasks/%2e%2e", ".."],
    ["a plus, which is a plus in a path", "/v1/tasks/a+b", "a+b"],
    ["UTF-8", "/v1/tasks/Zo%C3%AB-%F0%9F%9A%80", "Zoë-🚀"],
    ["NUL, for the schema to refuse", "/v1/tasks/a%00b", "a\0b"],
    ["a double encoding, once", "/v1/tasks/a%252Fb", "a%2Fb"],
    ["names of built-in members", "/v1/tasks/__proto__", "__proto__"],
  ])("decodes %s", (_what, path, taskId) => {
    expect(router.match("GET", path)).toEqual({ name: "getTask", params: { taskId } });
  });

  it.each(["/v1/tasks/%", "/v1/tasks/%zz", "/v1/tasks/%C3", "/v1/tasks/%E0%A4%A", "/v1/tasks/%ff"])(
    "refuses the malformed encoding of %s",
    (path) => {
      expect(() => router.match("GET", path)).toThrow(refused("INVALID_ARGUMENT"));
    },
  );

  it.each([
    "/",
    "",
    "/v1",
    "/v2/tasks",
    "/v1/tasks/",
    "/v1//tasks",
    "//v1/tasks",
    "/V1/tasks",
    "/v1/Tasks",
    "/v1%2Ftasks",
    "/v1/tasks/a/claim/",
    "/v1/tasks/a/claim/b",
    "/v1/tasks/../scopes",
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-protected-resource",
    "/constructor",
    "*",
  ])("knows no %j", (path) => {
    expect(() => router.match("GET", path)).toThrow(refused("NOT_FOUND"));
  });
});
