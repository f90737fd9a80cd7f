import { type Exchange, HttpClient } from "../http/client.ts";
import { Secrets } from "./secrets.ts";

/** A program that speaks MCP on its standard streams. */
export interface AdapterCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** What a run is about and how it goes about it. */
export interface RunOptions {
  /** Where the target listens, e.g. `http://127.0.0.1:4766`. */
  readonly address: string;
  readonly adminToken: string;
  /** How long the profile may take, ms. Default: the profile's own. */
  readonly timeoutMs?: number | undefined;
  readonly adapter?: AdapterCommand | undefined;
  /** Directories of a target that was started for this run; needed to check an adapter that registers itself. */
  readonly selfRegistration?: { readonly dataDir: string; readonly runtimeDir: string } | undefined;
  /** Lets time pass, ms. Default: by waiting. A test whose target has a clock of its own moves that. */
  readonly pause?: ((ms: number) => Promise<void>) | undefined;
  /** Sees every request once it was answered. */
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
}

/** How one check ended. */
export type Outcome =
  | { readonly check: string; readonly state: "passed"; readonly tookMs: number }
  | { readonly check: string; readonly state: "skipped"; readonly tookMs: number; readonly reason: string }
  | ({ readonly check: string; readonly state: "failed"; readonly tookMs: number } & Failure);

export interface Failure {
  /** One sentence. */
  readonly error: string;
  /** The request it is about; null when it is about none. */
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown } | null;
  readonly expected: unknown;
  readonly got: unknown;
  /** The earlier check without whose success this one could not run. */
  readonly because?: string;
}

let runs = 0;

/** What checks have at hand: the target, and the means to leave nothing behind. */
export class Run {
  readonly http: HttpClient;
  /** For clearing up: goes on after the deadline. */
  readonly cleaner: HttpClient;
  readonly adminToken: string;
  readonly secrets = new Secrets();
  readonly signal: AbortSignal;
  readonly env: NodeJS.ProcessEnv;
  readonly adapter: AdapterCommand | undefined;
  readonly selfRegistration: RunOptions["selfRegistration"];
  readonly pause: (ms: number) => Promise<void>;
  readonly #cleanup: (() => Promise<unknown>)[] = [];
  readonly #name: string;
  #names = 0;

  constructor(options: RunOptions, signal: AbortSignal) {
    this.adminToken = options.adminToken;
    this.secrets.add(options.adminToken);
    this.signal = signal;
    this.env = options.env ?? process.env;
    this.adapter = options.adapter;
    this.selfRegistration = options.selfRegistration;
    this.pause = options.pause ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms)));
    this.http = new HttpClient(options.address, this.secrets, signal, options.onExchange);
    this.cleaner = new HttpClient(options.address, this.secrets, new AbortController().signal);
    runs += 1;
    this.#name = `${Date.now().toString(36)}-${process.pid}-${runs}`;
  }

  /** An identifier no other run uses. */
  unique(prefix: string): string {
    this.#names += 1;
    return `${prefix}-${this.#name}-${this.#names}`;
  }

  /** Remembers what to do at the end, last first, whatever becomes of the checks. */
  atEnd(work: () => Promise<unknown>): void {
    this.#cleanup.push(work);
  }

  /** Does what {@link atEnd} remembered. @returns sentences about what could not be done */
  async end(): Promise<string[]> {
    const problems: string[] = [];
    for (const work of this.#cleanup.splice(0).reverse()) {
      try {
        await work();
      } catch (error) {
        problems.push(error instanceof Error ? error.message : String(error));
      }
    }
    return problems;
  }
}
