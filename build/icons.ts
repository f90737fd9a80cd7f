// `node build/icons.ts`: draws all images of the app anew into resources/, from the shapes in build/icons/mark.ts.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { iconFiles } from "./icons/files.ts";

const resources = join(import.meta.dirname, "../resources");
const files = iconFiles();
for (const [name, content] of files) {
  const file = join(resources, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}
console.log(`${files.size} files in resources/`);
