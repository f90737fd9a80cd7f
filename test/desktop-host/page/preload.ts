// What a sandboxed preload script finds: `require("electron")`, `process`, and nothing else. The source text of
// `makePreload` is injected: it must not use anything from outside of itself.
import type { Bridge } from "./bridge.ts";
import type { Codec } from "./codec.ts";
import type { PageWorld } from "./world.ts";

/** Page to host. */
export type FromPage =
  | { readonly kind: "send"; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: "invoke"; readonly id: number; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: "failed"; readonly message: string };

/** Host to page. */
export type ToPage =
  | { readonly kind: "message"; readonly channel: string; readonly args: readonly unknown[] }
  | { readonly kind: "reply"; readonly id: number; readonly value?: unknown; readonly error?: string };

/** Facts of the process that preloads may read. */
export interface PreloadProcess {
  readonly platform: string;
  readonly arch: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
  readonly argv: readonly string[];
}

export interface Preload {
  readonly require: (name: string) => unknown;
  readonly process: object;
  /** Tells the host that the preload script threw. */
  readonly failed: (error: unknown) => void;
}

export function makePreload(codec: Codec, bridge: Bridge, facts: PreloadProcess): Preload {
  const world = globalThis as unknown as PageWorld;
  type Listener = (event: object, ...args: unknown[]) => void;
  const listeners = new Map<string, { listener: Listener; original: Listener }[]>();
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let count = 0;

  const send = (message: FromPage): void => world.desktopHostSend?.(codec.encode(message));
  const add = (channel: string, listener: Listener, original = listener): object => {
    listeners.set(channel, [...(listeners.get(channel) ?? []), { listener, original }]);
    return ipcRenderer;
  };
  const remove = (channel: string, listener: Listener): object => {
    const kept = (listeners.get(channel) ?? []).filter((each) => each.original !== listener);
    listeners.set(channel, kept);
    return ipcRenderer;
  };

  /** As with the host's objects, what is not offered throws. */
  const offering = (name: string, members: object): object =>
    new Proxy(members, {
      get(target, key) {
        if (typeof key === "symbol" || key in target) return Reflect.get(target, key);
        throw new Error(`The stand-in for Electron does not offer ${name}.${key} to a sandboxed preload.`);
      },
    });

  const ipcRenderer = offering("ipcRenderer", {
    on: (channel: string, listener: Listener) => add(channel, listener),
    addListener: (channel: string, listener: Listener) => add(channel, listener),
    off: remove,
    removeListener: remove,
    once: (channel: string, original: Listener) =>
      add(
        channel,
        (...args) => {
          remove(channel, original);
          original(...args);
        },
        original,
      ),
    removeAllListeners: (channel: string) => {
      listeners.delete(channel);
      return ipcRenderer;
    },
    listenerCount: (channel: string) => listeners.get(channel)?.length ?? 0,
    send: (channel: string, ...args: unknown[]) => send({ kind: "send", channel, args }),
    invoke: (channel: string, ...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++count;
        send({ kind: "invoke", id, channel, args });
        waiting.set(id, { resolve, reject });
      }),
  });

  world.desktopHostDeliver = (text) => {
    const message = codec.decode(text) as ToPage;
    if (message.kind === "message") {
      const event = { sender: ipcRenderer, ports: [] };
      for (const { listener } of [...(listeners.get(message.channel) ?? [])]) listener(event, ...message.args);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.value);
    else call?.reject(new Error(message.error));
  };

  const electron = offering("electron", {
    contextBridge: offering("contextBridge", bridge),
    ipcRenderer,
    webFrame: offering("webFrame", { setZoomFactor: () => undefined, getZoomFactor: () => 1 }),
    webUtils: offering("webUtils", { getPathForFile: (file: { name: string }) => file.name }),
  });
  return {
    require: (name) => {
      if (name === "electron" || name === "electron/renderer") return electron;
      throw new Error(`module not found: ${name} (a sandboxed preload is one file and may require only electron)`);
    },
    process: offering("process", { ...facts, type: "renderer", env: {}, sandboxed: true, contextIsolated: true }),
    failed: (error) => send({ kind: "failed", message: error instanceof Error ? String(error.stack) : String(error) }),
  };
}
