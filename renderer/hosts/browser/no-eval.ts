import { config } from "zod";

// Imported before anything that has a schema: zod tries out whether it may make functions from text as soon as it sees one,
// and the content security policy reports that as an attack.
config({ jitless: true });
