/** What of a name an identifier may have, at most `length` characters of it; may be empty. */
export function toIdentifier(name: string, length: number): string {
  return name
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, length);
}
