import type { CustomScheme } from "electron";
import { Offered, OfferedEmitter } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";
import { schemeHandlers } from "../windows/addresses.ts";
import { type HostWebRequest, makeWebRequest } from "./web-request.ts";

/** Electron's `protocol`. Handlers answer real requests of pages, see windows/requests.ts. */
class ProtocolRegistry extends Offered {
  registerSchemesAsPrivileged(schemes: CustomScheme[]): void {
    recordings.add("protocol", "registerSchemesAsPrivileged", schemes);
  }

  handle(scheme: string, handler: (request: Request) => Response | Promise<Response>): void {
    if (schemeHandlers.has(scheme)) throw new Error(`The scheme ${scheme} has been intercepted.`);
    recordings.add("protocol", "handle", scheme);
    schemeHandlers.set(scheme, handler);
  }

  unhandle(scheme: string): void {
    schemeHandlers.delete(scheme);
  }

  isProtocolHandled(scheme: string): boolean {
    return schemeHandlers.has(scheme);
  }
}

export const protocol: ProtocolRegistry = new ProtocolRegistry();

type Asker = object | null;
type RequestHandler = (asker: Asker, permission: string, callback: (grants: boolean) => void, details: object) => void;
type CheckHandler = (asker: Asker, permission: string, requestingOrigin: string, details: object) => boolean;

/** Electron's `Session`; there is one, under every partition's name. */
class Session extends OfferedEmitter {
  readonly protocol: ProtocolRegistry = protocol;
  readonly webRequest: HostWebRequest = makeWebRequest();
  #requestHandler: RequestHandler | null = null;
  #checkHandler: CheckHandler | null = null;

  setPermissionRequestHandler(handler: RequestHandler | null): void {
    recordings.add("session", "setPermissionRequestHandler", handler);
    this.#requestHandler = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler | null): void {
    recordings.add("session", "setPermissionCheckHandler", handler);
    this.#checkHandler = handler;
  }

  setDevicePermissionHandler(handler: unknown): void {
    recordings.add("session", "setDevicePermissionHandler", handler);
  }

  setDisplayMediaRequestHandler(handler: unknown): void {
    recordings.add("session", "setDisplayMediaRequestHandler", handler);
  }

  setSpellCheckerEnabled(enable: boolean): void {
    recordings.add("session", "setSpellCheckerEnabled", enable);
  }

  setProxy(config: object): Promise<void> {
    recordings.add("session", "setProxy", config);
    return Promise.resolve();
  }

  clearStorageData(options?: object): Promise<void> {
    recordings.add("session", "clearStorageData", options);
    return Promise.resolve();
  }

  clearCache(): Promise<void> {
    recordings.add("session", "clearCache");
    return Promise.resolve();
  }

  /** Asks the app's handler as a page would; without one Electron grants. Not a member of Electron's. */
  hostRequestPermission(asker: Asker, permission: string, details: object): Promise<boolean> {
    const handler = this.#requestHandler;
    if (!handler) return Promise.resolve(true);
    return new Promise((resolve) => handler(asker, permission, resolve, details));
  }

  /** As above, for the silent check. Not a member of Electron's. */
  hostCheckPermission(asker: Asker, permission: string, origin: string, details: object): boolean {
    return this.#checkHandler?.(asker, permission, origin, details) ?? true;
  }
}

export type HostSession = Session;
const defaultSession: HostSession = new Session();

class Sessions extends Offered {
  readonly defaultSession: HostSession = defaultSession;

  fromPartition(partition: string): HostSession {
    recordings.add("session", "fromPartition", partition);
    return defaultSession;
  }
}

export const session: Sessions = new Sessions();
