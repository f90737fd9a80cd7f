import type { z } from "zod";
import type { ErrorCode, ErrorValue } from "../../protocol/index.ts";
import { read } from "../core/assert.ts";
import type { Answer, HttpClient } from "./client.ts";
import { refusalOf, resultOf } from "./envelope.ts";

type Status = 200 | 201 | 202;

/** Somebody with a credential, or nobody, who sends requests by method and path. */
export class Caller {
  readonly http: HttpClient;
  readonly token: string | undefined;

  constructor(http: HttpClient, token?: string | undefined) {
    this.http = http;
    this.token = token;
  }

  send(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Answer> {
    return this.http.send(method, path, body, { token: this.token, signal });
  }

  async get<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>> {
    return read(`GET ${path}`, resultOf(await this.send("GET", path), 200), shape);
  }

  async post<T extends z.ZodType>(path: string, body: unknown, shape: T, status: Status = 200): Promise<z.output<T>> {
    return read(`POST ${path}`, resultOf(await this.send("POST", path, body), status), shape);
  }

  async patch<T extends z.ZodType>(path: string, body: unknown, shape: T): Promise<z.output<T>> {
    return read(`PATCH ${path}`, resultOf(await this.send("PATCH", path, body), 200), shape);
  }

  /** @throws {CheckFailure} unless the call is refused with this code */
  async refused(
    method: "GET" | "POST" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    code: ErrorCode,
  ): Promise<ErrorValue> {
    return refusalOf(await this.send(method, path, body), code);
  }
}
