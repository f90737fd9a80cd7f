import { Offered } from "../lib/offered.ts";

/** Electron's `WebFrameMain` as far as checks of senders need it: the top frame of a window. */
export class WebFrameMain extends Offered {
  readonly parent = null;
  readonly routingId = 1;
  readonly processId: number;
  readonly name = "";
  readonly #url: () => string;

  constructor(processId: number, url: () => string) {
    super();
    this.processId = processId;
    this.#url = url;
  }

  get top(): this {
    return this;
  }

  get frames(): never[] {
    return [];
  }

  get url(): string {
    return this.#url();
  }

  /** As Chromium writes it: scheme and host for a standard scheme of the app's own, too. */
  get origin(): string {
    const url = URL.parse(this.url);
    if (!url || url.protocol === "about:" || url.protocol === "data:") return "null";
    return `${url.protocol}//${url.host}`;
  }

  isDestroyed(): boolean {
    return false;
  }
}
