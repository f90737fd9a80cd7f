import type { Implementation } from "@modelcontextprotocol/server";
import type { OperationName } from "../../protocol/index.ts";
import type { Call, Engine } from "../engine/index.ts";
import type { Dialect } from "../http/index.ts";
import type { Logger } from "../runtime/index.ts";

/** What the MCP door needs of the daemon behind it. */
export interface McpServices {
  readonly logger: Logger;
  readonly engine: Engine;
  readonly dialect: Dialect;
  /** Under which name and version the server introduces itself. */
  readonly serverInfo: Implementation;
  /** Performs an operation whose input has been parsed. */
  perform(name: OperationName, call: Call): Promise<unknown>;
}
