const MASK = "[redacted]";
/** Shorter values would take ordinary words out of the report. */
const MIN_LENGTH = 8;
/** Fields of answers in which a target hands out credentials. */
const CREDENTIAL_FIELDS: readonly string[] = ["scopeToken", "agentToken", "credential", "adminToken"];

/** Every credential the runner has seen, so that none of them reaches its output. */
export class Secrets {
  readonly #values = new Set<string>();

  add(value: string | undefined): void {
    if (value === undefined || value.length < MIN_LENGTH) return;
    // As it may stand in JSON text and in a URL, too.
    for (const form of [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]) this.#values.add(form);
  }

  /** Learns every credential an answer hands out, however deep it lies. */
  learn(value: unknown): void {
    if (Array.isArray(value)) {
      for (const entry of value) this.learn(entry);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, entry] of Object.entries(value)) {
        if (typeof entry === "string" && CREDENTIAL_FIELDS.includes(name)) this.add(entry);
        else this.learn(entry);
      }
    }
  }

  text(text: string): string {
    let clean = text;
    for (const value of this.#values) clean = clean.replaceAll(value, MASK);
    return clean;
  }

  /** A copy of `value` in which no text holds a credential. */
  clean<T>(value: T): T {
    return this.#clean(value) as T;
  }

  #clean(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((entry) => this.#clean(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, entry]) => [this.text(name), this.#clean(entry)]));
  }
}
