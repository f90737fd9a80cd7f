import { Offered } from "../lib/offered.ts";
import { recordings } from "../lib/recordings.ts";

/** Electron's `shell`: everything is recorded, nothing is opened. */
class Shell extends Offered {
  openExternal(url: string, options?: object): Promise<void> {
    recordings.add("shell", "openExternal", url, options);
    return Promise.resolve();
  }

  /** Resolves to "", which means success. */
  openPath(path: string): Promise<string> {
    recordings.add("shell", "openPath", path);
    return Promise.resolve("");
  }

  showItemInFolder(path: string): void {
    recordings.add("shell", "showItemInFolder", path);
  }

  trashItem(path: string): Promise<void> {
    recordings.add("shell", "trashItem", path);
    return Promise.resolve();
  }

  beep(): void {
    recordings.add("shell", "beep");
  }
}

export const shell: Shell = new Shell();
