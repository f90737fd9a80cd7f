import type { OperationName } from "../../protocol/index.ts";
import type { Credentials } from "../core/index.ts";
import type { Call } from "../engine/index.ts";
import type { Dialect } from "../http/index.ts";
import type { Logger } from "../runtime/index.ts";

/** What the MCP door needs of the daemon behind it. */
export interface McpServices {
  readonly logger: Logger;
  readonly dialect: Dialect;
  /** Under which name and version the server introduces itself. */
  readonly serverInfo: { readonly name: string; readonly version: string };
  /** Performs an operation whose input has been parsed. */
  perform(name: OperationName, call: Call): Promise<unknown>;
  checkAuthority(name: OperationName, credentials: Credentials): Promise<void>;
}
