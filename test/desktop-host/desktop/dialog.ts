import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** The dialogs that ask, and the answer of a person who closes them. */
const dismissals = {
  showOpenDialog: { canceled: true, filePaths: [] as string[] },
  showSaveDialog: { canceled: true, filePath: "" },
  showMessageBox: { response: 0, checkboxChecked: false },
};

export type DialogName = keyof typeof dismissals;
export type DialogAnswer<Name extends DialogName> = Partial<(typeof dismissals)[Name]>;

const queued: { name: DialogName; answer: object }[] = [];

/** Electron's `dialog`. Answers come from a queue that specs fill; without one the dialog is dismissed at once. */
class Dialog extends Offered {
  showOpenDialog(...args: unknown[]): Promise<(typeof dismissals)["showOpenDialog"]> {
    return Promise.resolve(answer("showOpenDialog", args));
  }

  showSaveDialog(...args: unknown[]): Promise<(typeof dismissals)["showSaveDialog"]> {
    return Promise.resolve(answer("showSaveDialog", args));
  }

  showMessageBox(...args: unknown[]): Promise<(typeof dismissals)["showMessageBox"]> {
    return Promise.resolve(answer("showMessageBox", args));
  }

  showMessageBoxSync(...args: unknown[]): number {
    return answer("showMessageBox", args).response;
  }

  showErrorBox(title: string, content: string): void {
    recordings.add("dialog", "showErrorBox", title, content);
  }
}

function answer<Name extends DialogName>(name: Name, args: readonly unknown[]): (typeof dismissals)[Name] {
  recordings.add("dialog", name, ...args);
  const index = queued.findIndex((each) => each.name === name);
  const [found] = index === -1 ? [] : queued.splice(index, 1);
  return { ...dismissals[name], ...found?.answer };
}

export const dialog: Dialog = new Dialog();

/** The hand of the person at the dialogs, for specs. */
export const dialogHand = {
  /** Answers the next dialog of that name. */
  answer<Name extends DialogName>(name: Name, given: DialogAnswer<Name>): void {
    queued.push({ name, answer: given });
  },
};
