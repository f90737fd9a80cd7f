import {
  COMPATIBLE_PROTOCOLS,
  FEATURES,
  type Health,
  type Liveness,
  type OperationName,
  type Overview,
  PROTOCOL_NAME,
  PROTOCOL_VERSION,
  type PruneResult,
  type SignInLink,
  type StorageSummary,
} from "../protocol/index.ts";
import { authenticate, issueSignInCode, overview } from "./core/index.ts";
import type { Call, Engine } from "./engine/index.ts";
import type { ScopeStorage } from "./scope-storage.ts";

/** What a daemon knows of itself. */
export interface DaemonIdentity {
  readonly instanceId: string;
  readonly version: string;
  readonly startedAt: string;
}

/** What surrounds these operations. */
export interface DaemonHost {
  /** Where it listens, once it does; no slash at the end. */
  readonly address: string;
  requestStop(): void;
}

/** Answers the operations that are about the daemon rather than its data. */
export class DaemonOperations {
  readonly #engine: Engine;
  readonly #identity: DaemonIdentity;
  readonly #storage: ScopeStorage;
  readonly #host: DaemonHost;

  constructor(engine: Engine, storage: ScopeStorage, identity: DaemonIdentity, host: DaemonHost) {
    this.#engine = engine;
    this.#storage = storage;
    this.#identity = identity;
    this.#host = host;
  }

  /** Performs any operation that answers with a value: those of the daemon here, all others in the core. */
  async perform(name: OperationName, call: Call): Promise<unknown> {
    switch (name) {
      case "health":
      case "liveness":
      case "shutdown":
      case "overview":
      case "storageSummary":
      case "pruneScope":
      case "createSignInLink": {
        const leave = this.#engine.admit(name);
        try {
          return await this[name](call);
        } finally {
          leave();
        }
      }
      case "watchAllEvents":
      case "exportScope":
      case "importScope":
      case "backup":
        throw new Error(`${name} answers with a stream`);
      default:
        return this.#engine.call(name, call);
    }
  }

  async health(): Promise<Health> {
    const available = await this.#engine.store.probe();
    return {
      name: PROTOCOL_NAME,
      protocolVersion: PROTOCOL_VERSION,
      runtimeVersion: this.#identity.version,
      features: [...FEATURES],
      compatible: [...COMPATIBLE_PROTOCOLS],
      instanceId: this.#identity.instanceId,
      status: available ? "ready" : "not_ready",
      startedAt: this.#identity.startedAt,
      storage: { backend: this.#engine.store.backend, status: available ? "available" : "unavailable" },
    };
  }

  async liveness(): Promise<Liveness> {
    return { name: PROTOCOL_NAME, status: "alive", startedAt: this.#identity.startedAt };
  }

  async shutdown(call: Call): Promise<{ stopping: true }> {
    await this.#engine.requireAdmin(call.credentials);
    // After the answer is out: the caller should hear that it worked.
    setImmediate(() => this.#host.requestStop());
    return { stopping: true };
  }

  storageSummary(call: Call): Promise<StorageSummary> {
    return this.#storage.summarize(call);
  }

  pruneScope(call: Call): Promise<PruneResult> {
    return this.#storage.prune(call);
  }

  async overview(call: Call): Promise<Overview> {
    await this.#engine.requireAdmin(call.credentials);
    await this.#engine.settleDue();
    const counts = await this.#engine.transact("read", overview);
    return { ...counts, storage: this.#engine.store.size() };
  }

  async createSignInLink(call: Call): Promise<SignInLink> {
    const { code, expiresAt } = await this.#engine.transact("write", async (ctx) => {
      await authenticate(ctx, "admin", call.credentials);
      return issueSignInCode(ctx);
    });
    return {
      url: `${this.#host.address}/ui/#sign-in=${code}`,
      expiresAt: new Date(expiresAt).toISOString(),
    };
  }
}
