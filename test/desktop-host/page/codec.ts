// Values on their way between the host and a page's isolated world, as JSON with marks for what JSON lacks: the same kinds
// of values that Electron's structured clone carries. The source text of `makeCodec` is also injected into pages: it must
// not use anything from outside of itself.

export interface Codec {
  /** @throws as structured clone does, for functions and symbols */
  encode(value: unknown): string;
  decode(text: string): unknown;
}

/** A value that JSON lacks: which kind, and its content. */
interface Marked {
  readonly $: string;
  readonly v?: unknown;
  readonly name?: string;
  readonly message?: string;
  readonly stack?: string;
}

export function makeCodec(): Codec {
  const chunkBytes = 32_768;

  const toBase64 = (bytes: Uint8Array): string => {
    let text = "";
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      text += String.fromCharCode(...bytes.subarray(at, at + chunkBytes));
    }
    return btoa(text);
  };
  const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

  const packNumber = (value: number): unknown => {
    if (Object.is(value, -0)) return { $: "number", v: "-0" };
    return Number.isFinite(value) ? value : { $: "number", v: String(value) };
  };

  const packObject = (value: object): unknown => {
    if (Array.isArray(value)) return value.map(pack);
    if (value instanceof Date) return { $: "date", v: packNumber(value.getTime()) };
    if (value instanceof Map) return { $: "map", v: [...value].map(([key, each]) => [pack(key), pack(each)]) };
    if (value instanceof Set) return { $: "set", v: [...value].map(pack) };
    if (value instanceof Error) return { $: "error", name: value.name, message: value.message, stack: value.stack };
    if (value instanceof ArrayBuffer) return { $: "ArrayBuffer", v: toBase64(new Uint8Array(value)) };
    if (ArrayBuffer.isView(value)) {
      const name = value.constructor.name === "Buffer" ? "Uint8Array" : value.constructor.name;
      return { $: "view", name, v: toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) };
    }
    return { $: "object", v: Object.fromEntries(Object.entries(value).map(([key, each]) => [key, pack(each)])) };
  };

  const pack = (value: unknown): unknown => {
    switch (typeof value) {
      case "undefined":
        return { $: "undefined" };
      case "number":
        return packNumber(value);
      case "bigint":
        return { $: "bigint", v: String(value) };
      case "function":
      case "symbol":
        throw new Error("An object could not be cloned.");
      case "object":
        return value === null ? null : packObject(value);
      default:
        return value;
    }
  };

  const constructorNamed = (name: string): unknown => (globalThis as unknown as Record<string, unknown>)[name];

  const unpackError = ({ name = "Error", message = "", stack }: Marked): Error => {
    const named = constructorNamed(name);
    const isError = typeof named === "function" && named.prototype instanceof Error;
    const error = new ((isError ? named : Error) as ErrorConstructor)(message);
    if (stack !== undefined) error.stack = stack;
    return error;
  };

  const unpackMarked = (marked: Marked): unknown => {
    const content = marked.v;
    switch (marked.$) {
      case "undefined":
        return undefined;
      case "number":
        return Number(content);
      case "bigint":
        return BigInt(String(content));
      case "date":
        return new Date(Number(unpack(content)));
      case "map":
        return new Map((content as [unknown, unknown][]).map(([key, each]) => [unpack(key), unpack(each)]));
      case "set":
        return new Set((content as unknown[]).map(unpack));
      case "error":
        return unpackError(marked);
      case "ArrayBuffer":
        return fromBase64(String(content)).buffer;
      case "view": {
        const bytes = fromBase64(String(content));
        if (marked.name === "Uint8Array") return bytes;
        const View = constructorNamed(String(marked.name)) as new (buffer: ArrayBufferLike) => unknown;
        return new View(bytes.buffer);
      }
      default:
        return Object.fromEntries(Object.entries(content as object).map(([key, each]) => [key, unpack(each)]));
    }
  };

  const unpack = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return Array.isArray(value) ? value.map(unpack) : unpackMarked(value as Marked);
  };

  return {
    encode: (value) => JSON.stringify(pack(value)),
    decode: (text) => unpack(JSON.parse(text)),
  };
}
