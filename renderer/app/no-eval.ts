import { config } from "zod/v4/core";

// Schemas are compiled with `new Function` where they may be, and finding out whether they may is already against the policy
// of these pages. Imported before anything that brings schemas along.
config({ jitless: true });
