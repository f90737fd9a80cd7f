/** What is bundled into the pages and the desktop, and under which licence. A test compares it with what is installed. */
export const LIBRARIES = [
  ["@base-ui/react", "MIT"],
  ["@dagrejs/dagre", "MIT"],
  ["@modelcontextprotocol/server", "Apache-2.0"],
  ["@tanstack/react-virtual", "MIT"],
  ["better-sqlite3", "MIT"],
  ["electron", "MIT"],
  ["env-paths", "MIT"],
  ["intl-messageformat", "BSD-3-Clause"],
  ["jsonc-parser", "MIT"],
  ["lucide-react", "ISC"],
  ["react", "MIT"],
  ["react-dom", "MIT"],
  ["smol-toml", "BSD-3-Clause"],
  ["yaml", "ISC"],
  ["zod", "MIT"],
  ["zustand", "MIT"],
] as const satisfies readonly (readonly [name: string, licence: string])[];
