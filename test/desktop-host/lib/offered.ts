// What the stand-in does not have must not look like an absent feature: reading an unknown member throws. The guard sits at
// the end of the prototype chain (of instances and of classes), so that `this` stays the object itself and private fields go on working.
import { EventEmitter } from "node:events";

/** Members that the language, Node's event helpers, Playwright or a logger look for on any object. */
const askedOfEverything = new Set(["then", "toJSON", "addEventListener", "asymmetricMatch", "nodeType", "__isProxy"]);

function refusing<Base extends object>(base: Base): Base {
  return new Proxy(base, {
    get(target, key, receiver) {
      if (typeof key === "symbol" || key in target || askedOfEverything.has(key))
        return Reflect.get(target, key, receiver);
      throw new Error(
        `The stand-in for Electron does not offer ${nameOf(receiver)}.${key}; see test/desktop-host/README.md`,
      );
    },
    // Keeps `instanceof` true for the real base.
    getPrototypeOf: () => base,
  });
}

function nameOf(object: unknown): string {
  if (typeof object === "function") return object.name;
  return typeof object === "object" && object !== null ? object.constructor.name : String(object);
}

/** Base of everything the stand-in offers that has no events. */
export class Offered {}
Object.setPrototypeOf(Offered.prototype, refusing(Object.prototype));
Object.setPrototypeOf(Offered, refusing(Function.prototype));

/** Base of everything the stand-in offers that has events. */
export class OfferedEmitter extends EventEmitter {}
Object.setPrototypeOf(OfferedEmitter.prototype, refusing(EventEmitter.prototype));
Object.setPrototypeOf(OfferedEmitter, refusing(EventEmitter));

/** The event object of Electron's listeners. */
export class DesktopEvent {
  #isPrevented = false;

  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }

  readonly preventDefault = (): void => {
    this.#isPrevented = true;
  };
}

/** Emits an event that listeners may prevent; true when none did. `facts` become members of the event object. */
export function isAllowed(emitter: EventEmitter, name: string, facts: object = {}, ...args: unknown[]): boolean {
  const event = Object.assign(new DesktopEvent(), facts);
  emitter.emit(name, event, ...args);
  return !event.defaultPrevented;
}
