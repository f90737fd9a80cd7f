import { COMPATIBLE_PROTOCOLS, DEFAULT_PORT, FEATURES, PROTOCOL_NAME, PROTOCOL_VERSION } from "../version.ts";
import type { SchemaSet } from "./json-schema.ts";
import { code, page, table } from "./markdown.ts";
import { errorsPage } from "./page-errors.ts";
import { eventsPage } from "./page-events.ts";
import { limitsPage } from "./page-limits.ts";
import { objectsPage } from "./page-objects.ts";
import { contents, operationsPage } from "./page-operations.ts";

/** Folder of the protocol's pages. Those that are not generated are written by hand. */
export const PAGES = "docs/protocol";

/** Every chapter in the order to read them, and what it answers. */
const CHAPTERS = [
  ["model", "What there is, and how it hangs together."],
  ["calls", "How a call travels: HTTP, headers, envelope, timeouts, waiting, streams, pages."],
  ["authority", "Credentials, who may do what, and how that is checked."],
  ["operations", "Every operation with its fields. Generated."],
  ["objects", "Every object operations take and give. Generated."],
  ["errors", "Every code, and what to do about it. Generated."],
  ["idempotency", "How to repeat a call whose answer was lost."],
  ["state-machines", "Every state, and the call that makes each transition."],
  ["events", "Everything that is recorded. Generated."],
  ["limits", "Every bound, and what ids look like. Generated."],
  ["compatibility", "Versions, features, and what may change."],
  ["threat-model", "What the daemon protects, from whom, and what it does not."],
  ["security-vectors", "Requests with the exact refusal each must get."],
] as const;

/** The pages that derive from the tables: path and text. */
export function generatedPages(schemas: SchemaSet): readonly (readonly [path: string, text: string])[] {
  const pages = {
    README: indexPage(),
    operations: operationsPage(schemas),
    objects: objectsPage(schemas),
    errors: errorsPage(),
    events: eventsPage(),
    limits: limitsPage(),
  };
  return Object.entries(pages).map(([name, text]) => [`${PAGES}/${name}.md`, text]);
}

function indexPage(): string {
  const listed = (names: readonly string[]) => names.map(code).join(", ");
  return page("The protocol", [
    `Protocol \`${PROTOCOL_NAME}\` ${PROTOCOL_VERSION}: HTTP and JSON, by default on \`http://127.0.0.1:${DEFAULT_PORT}\`. These pages ` +
      "are enough to write a client in any language.",
    table(
      ["chapter", "answers"],
      CHAPTERS.map(([name, about]) => [`[${name}](${name}.md)`, about]),
    ),
    "The same as data: [openapi.json](../../protocol/generated/openapi.json), " +
      "[JSON Schemas](../../protocol/generated/schemas) of inputs, results, objects and events, and the " +
      "[security vectors](../../protocol/security-vectors.json).",
    `Features: ${listed(FEATURES)}. Compatible with: ${listed(COMPATIBLE_PROTOCOLS)}.`,
    "## Operations",
    contents("operations.md"),
  ]);
}
