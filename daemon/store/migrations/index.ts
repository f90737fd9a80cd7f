import { initialSchema } from "./0001-initial.ts";

/** Forward migrations in order. The position, from 1, is the schema version; never edit one that was released. */
export const migrations: readonly string[] = [initialSchema];

/** Schema version this program works with. */
export const SCHEMA_VERSION = migrations.length;
