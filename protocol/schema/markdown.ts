/** A Markdown table. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

export function code(text: string): string {
  return `\`${text}\``;
}

/** A page that says where it comes from. */
export function page(title: string, blocks: readonly string[]): string {
  const origin = "<!-- Written by `npm run protocol:build` from the tables in protocol/. Do not edit. -->";
  return `${[`# ${title}`, origin, ...blocks].join("\n\n")}\n`;
}
