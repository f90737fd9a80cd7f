import {
  commonErrors,
  type ErrorCode,
  type ErrorValue,
  IDEMPOTENCY_HEADER,
  inputPlacement,
  type OperationInput,
  type OperationName,
  type OperationResult,
  operationOf,
  pathParameters,
  SCOPE_HEADER,
} from "../../../protocol/index.ts";
import { holds, read } from "../../core/assert.ts";
import { CheckFailure } from "../../core/failure.ts";
import type { Answer, HttpClient } from "../../http/client.ts";
import { refusalOf, resultOf } from "../../http/envelope.ts";

export interface PartyOptions {
  /** Idempotency key. */
  readonly key?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Input = Readonly<Record<string, unknown>>;

/** Somebody with a credential, or nobody, who calls operations of the table. Every answer is compared with the table. */
export class Party {
  readonly http: HttpClient;
  readonly token: string | undefined;
  readonly #scopeId: string | undefined;

  /** @param scopeId scope the admin credential acts for */
  constructor(http: HttpClient, token?: string | undefined, scopeId?: string | undefined) {
    this.http = http;
    this.token = token;
    this.#scopeId = scopeId;
  }

  /** Calls an operation that must succeed. @throws {CheckFailure} also when the result is not what the table says */
  async call<N extends OperationName>(
    name: N,
    input: OperationInput<N>,
    options: PartyOptions = {},
  ): Promise<OperationResult<N>> {
    return (await this.result(name, input as Input, options)) as OperationResult<N>;
  }

  /** The same for an operation that is known only when the runner runs. */
  async result(name: OperationName, input: Input, options: PartyOptions = {}): Promise<unknown> {
    const answer = await this.send(name, input, options);
    const op = operationOf(name);
    // What creates answers 201, and 200 where a repeated call finds that it has been done.
    const status = op.status === 201 && op.idempotency === "natural" && answer.status === 200 ? 200 : op.status;
    if (op.framing === "envelope") return read(`the result of ${name}`, resultOf(answer, status), op.result);
    holds(`the answer to ${name}`, answer.status === status, {
      expected: { status },
      got: { status: answer.status, body: answer.body },
    });
    return read(`the result of ${name}`, answer.body, op.result);
  }

  /** Calls an operation that must be refused with this code. @throws {CheckFailure} */
  async refused(name: OperationName, input: Input, code: ErrorCode, options: PartyOptions = {}): Promise<ErrorValue> {
    const error = refusalOf(await this.send(name, input, options), code);
    const op = operationOf(name);
    if (![...op.errors, ...commonErrors(op)].includes(code)) {
      throw new CheckFailure(`${name} is not documented to answer ${code}`, { expected: op.errors, got: code });
    }
    return error;
  }

  /** Sends the input of an operation, right or wrong. */
  send(name: OperationName, input: Input, options: PartyOptions = {}): Promise<Answer> {
    const op = operationOf(name);
    const inPath = new Set(pathParameters(op.path));
    const rest = Object.entries(input).filter(([field, value]) => !inPath.has(field) && value !== undefined);
    const path = op.path.replace(/\{(\w+)\}/g, (_, field: string) => encodeURIComponent(String(input[field])));
    const inQuery = inputPlacement(op) === "query";
    const query = new URLSearchParams(
      rest.map(([field, value]): [string, string] => [field, String(value)]),
    ).toString();
    return this.http.send(
      op.method,
      inQuery && query !== "" ? `${path}?${query}` : path,
      inQuery || op.method === "GET" ? undefined : Object.fromEntries(rest),
      { token: this.token, template: op.path, signal: options.signal, headers: this.#headers(options) },
    );
  }

  #headers({ key, headers }: PartyOptions): Record<string, string> {
    return {
      ...(this.#scopeId === undefined ? {} : { [SCOPE_HEADER]: this.#scopeId }),
      ...(key === undefined ? {} : { [IDEMPOTENCY_HEADER]: key }),
      ...headers,
    };
  }
}
