import type { OperationName } from "../../protocol/index.ts";
import type { DirectHandler, Mount } from "../http/index.ts";
import { cardHandler } from "./card.ts";
import { getTaskHandler, sendMessageHandler } from "./operations.ts";
import type { A2aServices } from "./services.ts";
import { unsupportedMount } from "./unsupported.ts";

export interface A2aDoor {
  /** The operations of the table that speak A2A. */
  readonly direct: Readonly<Partial<Record<OperationName, DirectHandler>>>;
  /** Answers at the paths of A2A operations that do not exist here. */
  mountAt(path: string): Mount | undefined;
}

/** The A2A 1.0 interface (HTTP+JSON) of published agents. */
export function createA2aDoor(services: A2aServices): A2aDoor {
  return {
    direct: {
      getAgentCard: cardHandler(services),
      sendA2aMessage: sendMessageHandler(services),
      getA2aTask: getTaskHandler(services),
    },
    mountAt: (path) => unsupportedMount(services, path),
  };
}
