// The log of what the app asked of its desktop, in the order it asked. Plain data only: specs read it over the debugger.

/** One call: `on` is "shell", "BrowserWindow 1", "Tray 1" and so on. */
export interface Recording {
  readonly on: string;
  readonly method: string;
  readonly args: readonly unknown[];
}

export class Recordings {
  readonly #entries: Recording[] = [];

  add(on: string, method: string, ...args: unknown[]): void {
    this.#entries.push({ on, method, args: args.map(plain) });
  }

  /** Everything, oldest first. */
  all(): readonly Recording[] {
    return [...this.#entries];
  }

  /** The arguments of each call of one method. `on` may leave out the number: "BrowserWindow" means every window. */
  of(on: string, method: string): (readonly unknown[])[] {
    return this.#entries
      .filter((each) => each.method === method && (each.on === on || each.on.startsWith(`${on} `)))
      .map(({ args }) => args);
  }

  /** Forgets everything so far. */
  clear(): void {
    this.#entries.length = 0;
  }
}

/** A value as data: functions and objects with behaviour become their description. */
export function plain(value: unknown, depth = 0): unknown {
  if (typeof value === "function") return "[function]";
  if (typeof value === "bigint" || typeof value === "symbol") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 6) return "[deep]";
  if (Array.isArray(value)) return value.map((each) => plain(each, depth + 1));
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each, depth + 1)]));
}

export const recordings: Recordings = new Recordings();
