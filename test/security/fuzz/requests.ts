import { inputPlacement, operationOf, pathParameters } from "../../../protocol/index.ts";
import { type CallOptions, callHeaders } from "../../support/http.ts";
import type { BodyNoise, Plan, TargetNoise } from "./plans.ts";
import type { WireRequest } from "./wire.ts";

const TOO_LARGE = Buffer.alloc(1024 * 1024 + 1, " ");

/** Percent-encodes whatever it is; a lone surrogate has no encoding of its own. */
function encode(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return encodeURIComponent(text.toWellFormed());
}

function damaged(input: Readonly<Record<string, unknown>>, damage: Plan["damage"]): [string, unknown][] {
  const entries = Object.entries(input);
  if (damage === undefined) return entries;
  const others = entries.filter(([field]) => field !== damage.field);
  return damage.kind === "drop" ? others : [...others, [damage.field, damage.value]];
}

function noisyTarget(path: string, noise: TargetNoise | undefined): string {
  switch (noise) {
    case undefined:
      return path;
    case "trailing slash":
      return `${path}/`;
    case "double slash":
      return `/${path}`;
    case "dot segments":
      return `/v1/../.${path}`;
    case "upper case":
      return path.toUpperCase();
    case "escaped letters":
      return path.replace(/[a-z]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    case "bad escape":
      return path.replace(/[^/]*$/, "%zz");
    case "escaped NUL":
      return path.replace(/[^/]*$/, "%00");
    case "not UTF-8":
      return path.replace(/[^/]*$/, "%c3%28");
    case "matrix parameter":
      return `${path};a=b`;
    case "fragment":
      return `${path}#fragment`;
    case "long":
      return `${path}/${"x".repeat(6000)}`;
    case "absolute":
      return `http://localhost${path}`;
    case "more segments":
      return `${path}${"/a".repeat(500)}`;
    case "raw bytes":
      return `${path}\u00ff\u00fe`;
    case "backslash":
      return path.replaceAll("/", "\\").replace("\\", "/");
  }
}

function noisyBody(json: string, noise: BodyNoise | undefined): Buffer | undefined {
  switch (noise) {
    case undefined:
    case "where none belongs":
      return Buffer.from(json);
    case "missing":
      return undefined;
    case "cut off":
      return Buffer.from(json).subarray(0, -1);
    case "two values":
      return Buffer.from(json + json);
    case "byte order mark":
      return Buffer.from(`\ufeff${json}`);
    case "not UTF-8":
      return Buffer.concat([Buffer.from(json).subarray(0, -1), Buffer.from([0x22, 0xff, 0xc3, 0x28, 0x22, 0x7d])]);
    case "a list":
      return Buffer.from(`[${json}]`);
    case "null":
      return Buffer.from("null");
    case "a word":
      return Buffer.from("hello");
    case "nested deeply":
      return Buffer.from(`{"title":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
    case "a key twice":
      return Buffer.from(json.replace(/^\{/, '{"to":1,"title":1,').replace(",}", "}"));
    case "with comments":
      return Buffer.from(`/* x */${json}`);
    case "empty":
      return Buffer.alloc(0);
    case "blank":
      return Buffer.from(" \n");
    case "too large":
      return TOO_LARGE;
  }
}

/** The bytes-to-be of a plan, now that its input is known. */
export function requestOf(plan: Plan, input: Readonly<Record<string, unknown>>, credentials: CallOptions): WireRequest {
  const op = operationOf(plan.name);
  const fields = damaged(input, plan.damage);
  const inPath = pathParameters(op.path);
  const inside = new Map(fields);
  const path = op.path.replace(/\{(\w+)\}/g, (_, field: string) => encode(inside.get(field) ?? "") || "missing");
  const others = fields.filter(([field, value]) => !inPath.includes(field) && value !== undefined);
  const placedInQuery = inputPlacement(op) === "query";
  const query = [
    ...(placedInQuery ? others.map(([field, value]) => `${encode(field)}=${encode(value)}`) : []),
    ...(plan.query === undefined ? [] : [plan.query]),
  ].join("&");
  const target = noisyTarget(path, plan.target) + (query === "" ? "" : `?${query}`);
  const method = plan.method ?? op.method;
  const wantsBody =
    plan.body === "where none belongs" || (!placedInQuery && (method !== "GET" || plan.body !== undefined));
  const body = wantsBody ? noisyBody(JSON.stringify(Object.fromEntries(others)), plan.body) : undefined;
  return {
    method,
    target,
    headers: headersOf(plan, credentials, body !== undefined),
    body,
    chunkBytes: body === undefined || body.length === 0 ? undefined : plan.chunkBytes,
  };
}

/** Headers of a plan replace those of the same name, except where two of a name are the point. */
function headersOf(plan: Plan, credentials: CallOptions, withBody: boolean): [string, string][] {
  const usual: [string, string][] = [
    ["Host", "localhost"],
    ...(withBody ? [["Content-Type", "application/json"] as [string, string]] : []),
    ...Object.entries(callHeaders(credentials)),
  ];
  const odd = new Set(plan.headers.map(([name]) => name).filter((name) => name !== "Authorization"));
  return [
    ...usual.filter(([name]) => !odd.has(name)),
    ...plan.headers.map(([name, value]): [string, string] => [name, value]),
  ];
}

/** Whether nothing about the request keeps it from reaching its operation. */
export function isRouted(plan: Plan): boolean {
  return (
    plan.method === undefined &&
    plan.target === undefined &&
    !plan.headers.some(([name]) => name === "Host" || name === "Origin")
  );
}
