import { fieldsOf, type JsonSchema, requiredOf, type SchemaSet } from "./json-schema.ts";
import { code, page, table } from "./markdown.ts";
import { anchorOf, described } from "./type-text.ts";

/** The page of everything that operations take and give. */
export function objectsPage(schemas: SchemaSet): string {
  return page("Objects", [
    "Fields marked `?` may be absent. Ignore fields you do not know in a result: they may be added. Given as input, unknown " +
      "fields are refused. Values of an enumeration may be added, too: treat one you do not know as `something else`.",
    ...Object.entries(schemas.definitions)
      .filter(([name]) => !name.endsWith("Input"))
      .flatMap(([name, schema]) => objectBlocks(name, schema)),
  ]);
}

function objectBlocks(name: string, schema: JsonSchema): string[] {
  const heading = `## <a id="${anchorOf(name)}"></a>${name}`;
  const about = typeof schema.description === "string" ? [schema.description] : [];
  if (schema.type !== "object") return [heading, ...about, `Pattern: ${code(String(schema.pattern))}`];
  const rows = Object.entries(fieldsOf(schema)).map(([field, type]) => [
    `${code(field)}${requiredOf(schema).includes(field) ? "" : "?"}`,
    described(type),
  ]);
  return [heading, ...about, ...(rows.length > 0 ? [table(["field", "type"], rows)] : ["No fields yet."])];
}
