import type { Notifier, ShownNotification } from "./native.ts";

export interface Explanation {
  readonly title: string;
  readonly body: string;
  readonly escalationId: string;
}

/** Tells what became of an answer. Where no notification can be shown the window opens, which shows the question as it is now. */
export class Explanations {
  readonly #notifier: Notifier;
  readonly #open: (escalationId: string) => void;
  /** Kept, because one that nobody refers to can be collected before it is clicked. */
  #shown: ShownNotification | undefined;

  constructor(notifier: Notifier, open: (escalationId: string) => void) {
    this.#notifier = notifier;
    this.#open = open;
  }

  show({ title, body, escalationId }: Explanation): void {
    this.#shown?.close();
    const open = (): void => this.#open(escalationId);
    this.#shown = this.#notifier.show(
      { id: `outcome-${escalationId}`, title, body, isSilent: true, urgency: "normal", actions: [] },
      {
        onShown: () => {},
        onFailed: open,
        onClick: open,
        onAction: open,
        onReply: open,
        onDismissed: () => {},
      },
    );
  }
}
