// Electron's contextBridge between a page's two worlds: the preload's isolated one and the page's own. One half runs in
// each; they talk by custom events whose detail the browser clones. Dispatching is synchronous, so synchronous functions
// work across. The source text of `makeBridge` is injected: it must not use anything from outside of itself.
import type { BridgeEvent, PageWorld } from "./world.ts";

export interface Bridge {
  exposeInMainWorld(name: string, api: unknown): void;
}

/** What crosses: values the browser clones, or one of these marks. */
type Wire = unknown;
interface Failure {
  readonly name: string;
  readonly message: string;
}
type Message =
  | { readonly kind: "hello" }
  | { readonly kind: "expose"; readonly name: string; readonly api: Wire }
  | { readonly kind: "call"; readonly call: number; readonly fn: number; readonly args: Wire }
  | { readonly kind: "return"; readonly call: number; readonly value?: Wire; readonly failure?: Failure }
  | { readonly kind: "settle"; readonly promise: number; readonly value?: Wire; readonly failure?: Failure };

/**
 * @param side which world this half is in
 * @param secret names the events of this document; a page that does not know it cannot forge them
 */
export function makeBridge(side: "isolated" | "main", secret: string): Bridge {
  const world = globalThis as unknown as PageWorld;
  // Taken before any script of the page can replace them.
  const { dispatchEvent } = world;
  const BridgeCustomEvent = CustomEvent;
  type Fn = (...args: unknown[]) => unknown;
  const functions = new Map<number, Fn>();
  const numbers = new Map<Fn, number>();
  const returned = new Map<number, Extract<Message, { kind: "return" }>>();
  const promised = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const exposed: { name: string; api: Wire }[] = [];
  let count = 0;

  const fire = (message: Message): void => {
    const type = secret + (side === "isolated" ? "main" : "isolated");
    dispatchEvent.call(world, new BridgeCustomEvent(type, { detail: message }));
  };
  const failureOf = (error: unknown): Failure =>
    error instanceof Error ? { name: error.name, message: error.message } : { name: "Error", message: String(error) };
  const errorOf = ({ name, message }: Failure): Error => {
    const named = world[name];
    const isError = typeof named === "function" && named.prototype instanceof Error;
    return new ((isError ? named : Error) as ErrorConstructor)(message);
  };
  const isPlain = (value: object): boolean => {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  };

  const numberOf = (fn: Fn): number => {
    const known = numbers.get(fn);
    if (known !== undefined) return known;
    const number = ++count;
    numbers.set(fn, number);
    functions.set(number, fn);
    return number;
  };
  const promise = (value: Promise<unknown>): Wire => {
    const number = ++count;
    value.then(
      (result) => fire({ kind: "settle", promise: number, value: wrap(result) }),
      (error) => fire({ kind: "settle", promise: number, failure: failureOf(error) }),
    );
    return { $promise: number };
  };
  const wrap = (value: unknown): Wire => {
    if (typeof value === "function") return { $function: numberOf(value as Fn) };
    if (typeof value !== "object" || value === null) return value;
    if (value instanceof Promise) return promise(value);
    if (Array.isArray(value)) return value.map(wrap);
    if (!isPlain(value)) return value;
    return { $object: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, wrap(each)])) };
  };

  const call = (fn: number, args: unknown[]): unknown => {
    const number = ++count;
    fire({ kind: "call", call: number, fn, args: wrap(args) });
    const answer = returned.get(number);
    returned.delete(number);
    if (!answer) throw new Error("The context this function came from is gone.");
    if (answer.failure) throw errorOf(answer.failure);
    return unwrap(answer.value);
  };
  const unwrap = (value: Wire): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(unwrap);
    const marked = value as { $function?: number; $promise?: number; $object?: object };
    const { $function: fn, $promise: number, $object: object } = marked;
    if (fn !== undefined) return (...args: unknown[]) => call(fn, args);
    if (number !== undefined) return new Promise((resolve, reject) => promised.set(number, { resolve, reject }));
    if (object) return Object.fromEntries(Object.entries(object).map(([key, each]) => [key, unwrap(each)]));
    return value;
  };

  const freeze = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
    Object.values(value).forEach(freeze);
    return Object.freeze(value);
  };
  const answerCall = ({ call: number, fn, args }: Extract<Message, { kind: "call" }>): void => {
    try {
      const value = functions.get(fn)?.(...(unwrap(args) as unknown[]));
      fire({ kind: "return", call: number, value: wrap(value) });
    } catch (error) {
      fire({ kind: "return", call: number, failure: failureOf(error) });
    }
  };
  const settle = ({ promise: number, value, failure }: Extract<Message, { kind: "settle" }>): void => {
    const waiting = promised.get(number);
    promised.delete(number);
    if (failure) waiting?.reject(errorOf(failure));
    else waiting?.resolve(unwrap(value));
  };
  const receive = (message: Message): void => {
    if (message.kind === "call") answerCall(message);
    else if (message.kind === "return") returned.set(message.call, message);
    else if (message.kind === "settle") settle(message);
    else if (message.kind === "hello") for (const each of exposed) fire({ kind: "expose", ...each });
    else if (!(message.name in world)) {
      Object.defineProperty(world, message.name, { value: freeze(unwrap(message.api)), enumerable: true });
    }
  };

  world.addEventListener(secret + side, (event: BridgeEvent) => {
    event.stopImmediatePropagation();
    receive(event.detail as Message);
  });
  if (side === "main") fire({ kind: "hello" });

  return {
    exposeInMainWorld(name, api) {
      const wrapped = wrap(api);
      exposed.push({ name, api: wrapped });
      fire({ kind: "expose", name, api: wrapped });
    },
  };
}
