import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectPage } from "../../build/connect-page.ts";
import { clients } from "../../connect/index.ts";

const page = readFileSync(join(import.meta.dirname, "../../docs/connect.md"), "utf8");

it("docs/connect.md says what the profiles say; write it again with: node build/connect-page.ts", () => {
  expect(page).toBe(connectPage(page));
  for (const { id, name } of clients) {
    expect(page).toContain(`\n## ${name}\n\n\`\`\`sh\nagent-intercom connect ${id}\n`);
    expect(page).toContain(`"${id}"`.replace(/"goose"/, "- goose"));
  }
});
