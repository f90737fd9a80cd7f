// The schema library tries out whether it may make functions from text when it meets its first schema, and the content
// security policy reports that as an attack. It looks at this first; asked in its own way (`z.config`) it would have to be
// loaded for that. Imported before everything else.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
