// The architecture as data: which folder may import what. The checker in check-imports.ts reads it; people should be able
// to read it too. The longest matching folder decides. Why these rules: docs/decisions.md and CONTRIBUTING.md.

/** What the files of one folder may import. `"any"` lifts a limit. */
export interface Room {
  /** Folders of ours, or single files where only one door is open. A room may always import itself. */
  ours: readonly string[] | "any";
  /** Packages, where the room may use only a few. Packages tied to certain rooms are in `packageHomes`. */
  packages?: readonly string[];
  /** Node's own modules: none for code that must also run in a browser. Default: any. */
  builtins?: readonly string[];
}

export const rooms: Readonly<Record<string, Room>> = {
  protocol: { ours: [], packages: ["zod"], builtins: [] },
  // The generator of the schemas and reference pages is a script of the room, not part of the contract.
  "protocol/build.ts": { ours: ["protocol"], packages: ["zod"] },

  client: { ours: ["protocol"], builtins: [] },
  "client/node": { ours: ["client", "protocol"] },

  daemon: { ours: ["protocol"] },
  // The domain does no input or output: it gets a transaction, a clock and an id source. Hashing is pure.
  "daemon/core": { ours: ["protocol"], packages: [], builtins: ["node:crypto"] },

  // Starting a daemon, and finding a running one by its run file.
  // The protocol's own examination is a command, too.
  cli: {
    ours: [
      "client",
      "protocol",
      "connect/index.ts",
      "conformance/index.ts",
      "daemon/index.ts",
      "daemon/runtime",
      "harness/index.ts",
    ],
  },
  // What is known about MCP clients, and edits of their configuration; the desktop will use it as the commands do.
  connect: { ours: ["protocol"], packages: ["jsonc-parser", "smol-toml", "yaml", "zod"] },
  // Runs agent programs against a scripted model, for the doctor and for tests.
  harness: { ours: ["client", "protocol", "connect/index.ts"], packages: ["zod"] },
  adapters: { ours: ["client", "protocol"] },
  conformance: { ours: ["protocol"] },

  // Texts for humans, of windows and of the tray alike.
  i18n: { ours: [], packages: ["intl-messageformat"], builtins: [] },
  // Sandboxed, so it is bundled into one file. Only constants and types of the contract: no schema library in every page.
  preload: { ours: ["protocol/desktop"], packages: ["electron"], builtins: [] },
  // Finds a running daemon by its run file, as the commands do; its own it starts as another process. Of round trips with
  // agent programs it only reads what they have shown.
  main: { ours: ["client", "protocol", "connect/index.ts", "harness/evidence.ts", "i18n", "daemon/runtime"] },
  renderer: { ours: ["protocol", "i18n"], builtins: [] },
  // In a browser tab there is no bridge; this one host talks to the daemon itself.
  "renderer/hosts/browser": { ours: ["renderer", "protocol", "client", "i18n"], builtins: [] },

  build: { ours: "any" },
  test: { ours: "any" },
  // Beyond the doors everyone uses, benchmarks fill a data directory directly.
  bench: { ours: ["client", "protocol", "daemon"] },
};

/** Packages that only certain folders may import. */
export const packageHomes: Readonly<Record<string, readonly string[]>> = {
  electron: ["main", "preload"],
  react: ["renderer"],
  "react-dom": ["renderer"],
  "better-sqlite3": ["daemon/store", "bench"],
  pg: ["daemon/store"],
  "@modelcontextprotocol/server": ["daemon/mcp"],
  // Benchmarks compare with the bare libraries.
  express: ["daemon/http", "daemon/mcp", "bench"],
};

/** Nothing that ships may lean on these. */
export const privateRooms: readonly string[] = ["test", "bench", "build"];

/** Above this many lines a file wants to be two. Generated files and tests are free. */
export const maxLines = 400;
