import type { Bridge, IpcAnswer, IpcChannel, IpcRequest, IpcResponse } from "../../protocol/desktop/index.ts";
import { IntercomError } from "../../protocol/errors.ts";
import type { Beginning, Host, HostListener } from "../host.ts";

/** The page runs in a window of the desktop; `bridge` is what the preload script gave to it. */
export function desktopHost(bridge: Bridge): Host {
  async function ask<C extends IpcChannel>(channel: C, request: IpcRequest<C>): Promise<IpcResponse<C>> {
    return unwrap(await bridge.invoke(channel, request));
  }
  return {
    kind: "desktop",
    attach: (listener) => attach(bridge, listener),
    call: (operation, input, scopeId) =>
      ask("call", { operation, input, ...(scopeId === undefined ? {} : { scopeId }) }) as Promise<never>,
    desktop: { ask },
    browser: undefined,
  };
}

function unwrap<T>(answer: IpcAnswer<T>): T {
  if (answer.ok) return answer.result;
  const { code, message, details } = answer.error;
  throw new IntercomError(code, message, details);
}

/** Frames are numbered: after a gap, such as a reload leaves, the window takes a snapshot again. */
async function attach(bridge: Bridge, listener: HostListener): Promise<Beginning> {
  let expected: number | undefined;
  bridge.on("destination", (destination) => listener.destination(destination));
  bridge.on("frame", (frame) => {
    // Before the snapshot everything is in the snapshot.
    if (expected === undefined || frame.sequence < expected) return;
    if (frame.sequence === expected) {
      expected += 1;
      listener.frame(frame);
      return;
    }
    expected = undefined;
    void snapshot().then(({ sequence, live, desktop }) => {
      listener.frame({ sequence, changes: [{ kind: "reset", state: live }], desktop });
    });
  });

  async function snapshot() {
    const taken = unwrap(await bridge.invoke("attach", {}));
    expected = taken.sequence + 1;
    return taken;
  }
  const { live, desktop, destination } = await snapshot();
  return { live, desktop, ...(destination ? { destination } : {}) };
}
