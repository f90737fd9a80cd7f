/** A path with its variable parts encoded: at`/v1/messages/${id}`. */
export function at(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return parts.reduce((path, part, index) => path + encodeURIComponent(values[index - 1] as string) + part);
}
