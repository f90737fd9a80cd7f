import type { Electron } from "../ports/electron.ts";
import { type LaunchRequest, parseLaunch } from "./arguments.ts";
import { parseDeepLink } from "./deep-link.ts";

/**
 * What starts of the app ask for: this one, those of further instances, which end at once, and links that macOS hands over.
 * What comes before somebody takes it is kept.
 */
export class Launches {
  readonly #waiting: LaunchRequest[] = [];
  #taker: ((request: LaunchRequest) => void) | undefined;

  /** To be called before the app is ready, or links are missed. */
  constructor(app: Pick<Electron["app"], "on">) {
    app.on("second-instance", (_event, args) => {
      // Who starts the app again wants to see it, whatever the start was made for.
      this.#give({ ...parseLaunch(args), hidden: false });
    });
    app.on("open-url", (event, url) => {
      event.preventDefault();
      this.#give({ hidden: false, link: parseDeepLink(url) });
    });
    // A click on the icon in the dock.
    app.on("activate", () => this.#give({ hidden: false, link: undefined }));
  }

  take(taker: (request: LaunchRequest) => void): void {
    this.#taker = taker;
    for (const request of this.#waiting.splice(0)) taker(request);
  }

  #give(request: LaunchRequest): void {
    if (this.#taker) this.#taker(request);
    else this.#waiting.push(request);
  }
}
