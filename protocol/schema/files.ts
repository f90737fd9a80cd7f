import { eventSchemas } from "./event-schemas.ts";
import { compileSchemas, type JsonSchema, mapReferences } from "./json-schema.ts";
import { jsonText } from "./json-text.ts";
import { openApiDocument } from "./openapi.ts";
import { generatedPages } from "./pages.ts";

/** Folder whose whole content is generated. */
export const GENERATED = "protocol/generated";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
const OBJECTS = "objects.json";

/**
 * Everything derived from the table: path from the project's top folder, and content.
 *
 * The schema files are read together: `objects.json` holds the shared definitions, the others one definition per
 * operation or event type and refer to it by file name.
 */
export function generatedFiles(): ReadonlyMap<string, string> {
  const schemas = compileSchemas();
  const bundle = (title: string, definitions: Readonly<Record<string, JsonSchema>>, here = false) =>
    jsonText({
      $schema: DIALECT,
      title,
      $defs: Object.fromEntries(
        Object.entries(definitions).map(([name, schema]) => [
          name,
          mapReferences(schema, (target) => `${here ? "" : OBJECTS}#/$defs/${target}`),
        ]),
      ),
    });
  return new Map<string, string>([
    [`${GENERATED}/openapi.json`, jsonText(openApiDocument(schemas))],
    [`${GENERATED}/schemas/${OBJECTS}`, bundle("Shared objects", schemas.definitions, true)],
    [`${GENERATED}/schemas/inputs.json`, bundle("Input of each operation", schemas.inputs)],
    [`${GENERATED}/schemas/results.json`, bundle("Result of each operation", schemas.results)],
    [`${GENERATED}/schemas/events.json`, bundle("Event of each type", eventSchemas())],
    ...generatedPages(schemas),
  ]);
}
