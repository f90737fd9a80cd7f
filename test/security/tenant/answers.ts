import { ID_PREFIXES } from "../../../protocol/index.ts";
import type { Answer } from "../../support/http.ts";

const GENERATED = new RegExp(`\\b(${Object.values(ID_PREFIXES).join("|")})[0-9a-f]{32}\\b`, "g");
/** What `World.fresh` makes. */
const FRESH = /\bw\d+-[a-z]+-\d+\b/g;
/** A random token has 43 characters; in front of it there may be the id of what it is for. */
const TOKEN = /(?<=[".])[\w-]{43}(?=")/g;

/** Counters that go on with every call. */
const COUNTERS = /(?<="(?:sequence|revision|\w*Sequence|\w*Revision)":)\d+/g;

/**
 * An answer as text, with what differs from call to call left out: the id that was asked for, ids and tokens made for
 * this very call, counters that went on, and the second of the Date header.
 */
export function comparable(answer: Answer, asked: readonly string[]): string {
  const headers = [...answer.headers].filter(([name]) => name !== "date" && name !== "content-length");
  let body = JSON.stringify(answer.body) ?? "";
  for (const id of asked) body = body.replaceAll(id, "<asked>");
  body = body.replace(GENERATED, "<$1>").replace(FRESH, "<fresh>").replace(TOKEN, "<token>").replace(COUNTERS, "<n>");
  return JSON.stringify({ status: answer.status, headers, body });
}
