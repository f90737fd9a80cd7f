// Puts the injected functions and an app's preload script together as source texts for the debugger.
import { makeBridge } from "./bridge.ts";
import { makeCodec } from "./codec.ts";
import { makePreload, type PreloadProcess } from "./preload.ts";

/** Name of the isolated world, as the debugger reports it. */
export const PRELOAD_WORLD = "desktop-host-preload";
/** Name of the binding that carries messages from the isolated world to the host. */
export const SEND_BINDING = "desktopHostSend";

/** Runs first in the page's own world. */
export function mainWorldSource(secret: string): string {
  return `(${makeBridge})("main", ${JSON.stringify(secret)});`;
}

/** Runs first in the isolated world. Like Electron, it loads a preload only in the top frame, and not into "about:blank". */
export function preloadSource(secret: string, facts: PreloadProcess, preload: { path: string; code: string }): string {
  const codec = `(${makeCodec})()`;
  const bridge = `(${makeBridge})("isolated", ${JSON.stringify(secret)})`;
  return `if (self === top && location.href !== "about:blank") {
  const { require, process, failed } = (${makePreload})(${codec}, ${bridge}, ${JSON.stringify(facts)});
  try {
    (function (require, process, module, exports) {${preload.code}
    }).call({}, require, process, { exports: {} }, {});
  } catch (error) { failed(error); }
}
//# sourceURL=${preload.path}`;
}
