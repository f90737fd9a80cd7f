// The few names of a page that injected code uses. The compiler knows no DOM here, and should not: everything else in this
// folder runs in Node.

export interface PageWorld {
  addEventListener(type: string, listener: (event: BridgeEvent) => void): void;
  dispatchEvent(event: unknown): boolean;
  /** Binding of the debugger, in the isolated world only. */
  desktopHostSend?(message: string): void;
  /** Called by the debugger, in the isolated world only. */
  desktopHostDeliver?(message: string): void;
  [name: string]: unknown;
}

export interface BridgeEvent {
  readonly detail: unknown;
  stopImmediatePropagation(): void;
}
