import { initialSchema } from "./0001-initial.ts";
import { outsideSchema } from "./0002-outside.ts";
import { connectorsSchema } from "./0003-connectors.ts";
import { oversightSchema } from "./0004-oversight.ts";
import { uiSessionsSchema } from "./0005-ui-sessions.ts";

/** Forward migrations in order; the schema version is their number. Never edit one that was released. */
export const migrations: readonly string[] = [
  initialSchema,
  outsideSchema,
  connectorsSchema,
  oversightSchema,
  uiSessionsSchema,
];
export const SCHEMA_VERSION = migrations.length;
