import type { OperationName } from "../../protocol/index.ts";
import type { Call, Engine } from "../engine/index.ts";
import type { Logger } from "../runtime/index.ts";

/** What the A2A door needs of the daemon behind it. */
export interface A2aServices {
  readonly logger: Logger;
  readonly engine: Engine;
  /** Performs an operation whose input has been parsed. */
  perform(name: OperationName, call: Call): Promise<unknown>;
}
