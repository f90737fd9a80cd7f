import { type OperationMethod, operationsFor } from "./methods.ts";
import { type FollowedOutput, type FollowOutputOptions, followOutput } from "./output-stream.ts";
import { type ConnectionOptions, Transport } from "./transport.ts";

export interface OutputClientOptions extends ConnectionOptions {
  /** What the owner of the scope has issued for one stream. A function is asked before every call, so it may change. */
  readonly credential: string | (() => string);
}

const OutputOperations = operationsFor("output-publish", "output-read");

/** Somebody outside a scope who holds a credential of one of its output streams. */
export class OutputClient {
  /** Publishes a value; repeated by itself under one idempotency key, so that it is published once. */
  readonly publish: OperationMethod<"publishOutput">;
  /** The newest value, or null. */
  readonly latest: OperationMethod<"latestOutput">;
  /** Values after a position, oldest first. */
  readonly history: OperationMethod<"listOutputValues">;
  readonly #transport: Transport;

  constructor({ credential, ...connection }: OutputClientOptions) {
    const token = typeof credential === "string" ? () => credential : credential;
    this.#transport = new Transport(connection, () => ({ token: token(), scopeId: undefined }));
    const operations = new OutputOperations(this.#transport);
    this.publish = operations.publishOutput;
    this.latest = operations.latestOutput;
    this.history = operations.listOutputValues;
  }

  /**
   * Follows the values of the stream, across daemon restarts, until `signal` aborts or the loop is left. Without `after` it
   * begins with what is published next. `{resync: true}` says that values up to its `sequence` are gone; those the stream
   * still has come after it.
   * @throws {IntercomError} When the daemon refuses the credential or the request.
   */
  follow(options: FollowOutputOptions): AsyncGenerator<FollowedOutput, void, undefined> {
    return followOutput(this.history, this.#transport, options);
  }
}
