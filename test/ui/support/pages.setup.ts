import { test as setup } from "@playwright/test";
import { buildPages } from "./build-pages.ts";

// Once for all workers, and for those that take the place of one that ended.
setup("the pages over a fake world are bundled", async () => {
  await buildPages();
});
