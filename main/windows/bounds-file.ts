import { readFileSync } from "node:fs";
import type { Rectangle } from "electron";
import { z } from "zod";
import type { Logger } from "../../daemon/runtime/index.ts";
import { writePrivateFile } from "../../daemon/runtime/private-file.ts";

const REACH = 100_000;
const coordinate = z.int().min(-REACH).max(REACH);
const length = z.int().min(1).max(REACH);

const remembered = z.strictObject({
  bounds: z.strictObject({ x: coordinate, y: coordinate, width: length, height: length }),
  isMaximized: z.boolean(),
});
export interface RememberedBounds {
  readonly bounds: Rectangle;
  readonly isMaximized: boolean;
}

/** Where the main window was the last time. Nothing depends on it: what cannot be read or written is as if it were not there. */
export class BoundsFile {
  readonly #file: string;
  readonly #logger: Logger;

  constructor(file: string, logger: Logger) {
    this.#file = file;
    this.#logger = logger;
  }

  read(): RememberedBounds | undefined {
    try {
      return remembered.parse(JSON.parse(readFileSync(this.#file, "utf8")));
    } catch {
      return undefined;
    }
  }

  write(bounds: RememberedBounds): void {
    try {
      writePrivateFile(this.#file, bounds);
    } catch (error) {
      this.#logger.warn("the place of the window was not saved", { error });
    }
  }
}
