import { describe, expect, it } from "vitest";
import { ConnectError } from "../error.ts";
import { editConfig, type Format, parseConfig } from "./edit.ts";

const entry = { command: "/opt/agent-intercom", args: ["mcp", "--client", "x"] };
const paths: Readonly<Record<Format, readonly string[]>> = {
  json: ["mcpServers", "intercom"],
  jsonc: ["context_servers", "intercom"],
  toml: ["mcp_servers", "intercom"],
  yaml: ["extensions", "intercom"],
};
const edit = (format: Format, text: string, wanted: typeof entry | Record<string, never> | undefined | object) =>
  editConfig({ format, text, file: "the file" }, paths[format], wanted as never);

/** A text without the margin it has in this file. */
function text(lines: TemplateStringsArray): string {
  const [whole = ""] = lines.raw;
  const margin = /^\n( *)/.exec(whole)?.[1] ?? "";
  return whole
    .replace(/^\n/, "")
    .replaceAll(new RegExp(`^${margin}`, "gm"), "")
    .replace(/ +$/, "");
}

const zed = text`
  // Zed settings
  {
    "theme": "One Dark", /* at night */
    "context_servers": {
      // our own
      "docs": { "source": "custom", "command": "docs" }, // slow
    },
    "vim_mode": true,
  }
  `;
const zedConnected = text`
  // Zed settings
  {
    "theme": "One Dark", /* at night */
    "context_servers": {
      // our own
      "docs": { "source": "custom", "command": "docs" }, // slow
      "intercom": {
        "command": "/opt/agent-intercom",
        "args": ["mcp", "--client", "x"]
      },
    },
    "vim_mode": true,
  }
  `;
const codex = text`
  model = "gpt-5" # the large one

  [mcp_servers.docs]
  command = 'C:\docs\run.exe'
  args = [
    "[mcp_servers.intercom]", # only a text
    """
  [mcp_servers.intercom]
  """,
  ]

  [mcp_servers.docs.env]
  KEY = "x"

  # profiles
  [profiles.fast]
  model = "small"
  `;
const codexAddition = '\n[mcp_servers.intercom]\ncommand = "/opt/agent-intercom"\nargs = ["mcp", "--client", "x"]\n';
const goose = text`
  # written by hand
  GOOSE_PROVIDER: openai
  extensions:
    developer:
      type: builtin   # keep
      enabled: true
    notes:
      description: |
        extensions:
          intercom: not this one
  GOOSE_MODE: auto
  `;
const gooseConnected = goose.replace(
  "GOOSE_MODE",
  text`
  __  intercom:
  __    command: /opt/agent-intercom
  __    args:
  __      - mcp
  __      - --client
  __      - x
  GOOSE_MODE`.replaceAll("__", ""),
);

describe("on configurations as people have them", () => {
  it.each<{ format: Format; before: string; after: string }>([
    { format: "jsonc", before: zed, after: zedConnected },
    { format: "toml", before: codex, after: codex + codexAddition },
    { format: "yaml", before: goose, after: gooseConnected },
  ])("$format: adds our entry and takes it out without a trace", ({ format, before, after }) => {
    expect(edit(format, before, entry)).toBe(after);
    expect(edit(format, after, undefined)).toBe(before);
    expect(edit(format, after, entry)).toBe(after);
  });

  it.each<{ format: Format; before: string; after: string }>([
    { format: "jsonc", before: zed, after: zedConnected },
    { format: "toml", before: codex, after: codex + codexAddition },
    { format: "yaml", before: goose, after: gooseConnected },
  ])("$format: keeps Windows' line endings and the byte order mark", ({ format, before, after }) => {
    const windows = (lines: string) => `\ufeff${lines.replaceAll("\n", "\r\n")}`;
    expect(edit(format, windows(before), entry)).toBe(windows(after));
    expect(edit(format, windows(after), undefined)).toBe(windows(before));
  });

  it.each<{ format: Format; before: string }>([
    { format: "jsonc", before: zed.trimEnd() },
    { format: "toml", before: codex.trimEnd() },
    { format: "yaml", before: goose.replace(/GOOSE_MODE.*\n/, "").trimEnd() },
  ])("$format: a text without an end of line at its end gets none", ({ format, before }) => {
    const added = edit(format, before, entry);
    expect(added.endsWith("\n")).toBe(false);
    expect(edit(format, added, undefined)).toBe(before);
  });

  it("uses the indentation the file has, and one line where it has one line", () => {
    expect(edit("json", '{\n\t"a": 1\n}\n', { b: true })).toBe(
      '{\n\t"a": 1,\n\t"mcpServers": {\n\t\t"intercom": {\n\t\t\t"b": true\n\t\t}\n\t}\n}\n',
    );
    expect(edit("json", '{"mcpServers": {"a": {}}}', { b: [1, "x"], c: { d: 2 } })).toBe(
      '{"mcpServers": {"a": {}, "intercom": { "b": [1, "x"], "c": { "d": 2 } }}}',
    );
    expect(edit("yaml", "a:\n    b: 1\n", { c: 1 })).toBe("a:\n    b: 1\nextensions:\n    intercom:\n        c: 1\n");
  });

  it.each<{ format: Format; before: string }>([
    { format: "json", before: '{ "mcpServers": {} }' },
    { format: "json", before: '{\n  "mcpServers": {}\n}\n' },
    { format: "jsonc", before: '{\n  "context_servers": {\n    // none yet\n  }\n}\n' },
    { format: "yaml", before: "extensions: {} # none yet\nb: 1\n" },
    { format: "yaml", before: "extensions: {a: {b: 1}}\n" },
    { format: "toml", before: "" },
  ])("$format: an empty table gets our entry and is empty again afterwards: $before", ({ format, before }) => {
    expect(edit(format, edit(format, before, entry), undefined)).toBe(before);
  });

  it.each<{ format: Format; empty: string }>([
    { format: "json", empty: '{\n  "mcpServers": {}\n}\n' },
    { format: "jsonc", empty: '{\n  "context_servers": {}\n}\n' },
    { format: "yaml", empty: "extensions: {}\n" },
    { format: "toml", empty: "" },
  ])("$format: an empty file gets a table, which stays behind where it has a place of its own", ({ format, empty }) => {
    expect(edit(format, edit(format, "", entry), undefined)).toBe(empty);
  });
});

describe("an entry that is there", () => {
  it("json: only keys that differ are touched", () => {
    const before =
      '{\n  "mcpServers": {\n    "intercom": {\n      "a": 1, // one\n      "b": [1], // two\n      "c": 3 // three\n    }\n  }\n}\n';
    const path = ["mcpServers", "intercom"];
    const changed = editConfig({ format: "jsonc", text: before, file: "f" }, path, { a: 1, b: ["x"], d: 4 });
    expect(changed).toBe(
      '{\n  "mcpServers": {\n    "intercom": {\n      "a": 1, // one\n      "b": ["x"], // two\n      "d": 4\n      // three\n    }\n  }\n}\n',
    );
  });

  it("toml: only keys that differ are touched, and tables below it go with it", () => {
    const before =
      '[mcp_servers.intercom] # ours\na = 1 # one\nb = [1,\n 2] # two\nc = 3\n\n[mcp_servers.intercom.tools.x]\nmode = "y"\n\n[z]\n';
    const wanted = { a: 1, b: "x", d: true, tools: { x: { mode: "y" } } };
    const changed = edit("toml", before, wanted);
    expect(changed).toBe(before.replace("[1,\n 2]", '"x"').replace("c = 3\n", "d = true\n"));
    expect(edit("toml", changed, undefined)).toBe("\n[z]\n");
  });

  it("yaml: only keys that differ are touched", () => {
    const before =
      "extensions:\n  intercom: # ours\n    a: 1 # one\n    b:\n      - 1\n      - 2\n    # about c\n    c: 3\n  z: {}\n";
    expect(edit("yaml", before, { a: 2, b: ["x"], d: "y" })).toBe(
      'extensions:\n  intercom: # ours\n    a: 2 # one\n    b: ["x"]\n    d: y\n    # about c\n  z: {}\n',
    );
  });

  it("something that is no table is replaced as a whole", () => {
    expect(
      parseConfig({ format: "json", file: "f", text: edit("json", '{"mcpServers": {"intercom": null}}', entry) }),
    ).toEqual({
      mcpServers: { intercom: entry },
    });
    expect(
      parseConfig({ format: "toml", file: "f", text: edit("toml", "[mcp_servers]\nintercom = 1\n", entry) }),
    ).toEqual({
      mcp_servers: { intercom: entry },
    });
    expect(
      parseConfig({ format: "yaml", file: "f", text: edit("yaml", "extensions:\n  intercom: x\n", entry) }),
    ).toEqual({
      extensions: { intercom: entry },
    });
  });
});

describe("what cannot be edited", () => {
  it.each<{ format: Format; broken: string; says: RegExp }>([
    { format: "json", broken: '{\n  "a": 1,\n}', says: /the file cannot be read: line 3, column 1: .*expected/ },
    { format: "json", broken: '{\n  // c\n  "a": 1\n}', says: /line 2, column 3: .*comment/ },
    { format: "json", broken: "[]", says: /line 1, column 1: object expected/ },
    { format: "jsonc", broken: '{\n  "a" 1\n}', says: /line 2, column 7: colon expected/ },
    { format: "toml", broken: "a = 1\nb = \n", says: /line 2, column \d: / },
    { format: "toml", broken: "[a]\n[a]\n", says: /line 2, column \d: / },
    { format: "yaml", broken: "a:\n  - b\n c: 1\n", says: /line 3, column 1: / },
    { format: "yaml", broken: "a: 1\n---\nb: 1\n", says: /line 2, column 1: .*multiple documents/ },
    { format: "yaml", broken: "a: 1\nb: *x\n", says: /line 2, column 4: nothing is called &x/ },
    { format: "yaml", broken: "- a\n", says: /mapping was expected/ },
  ])("$format: a broken file is refused with the place: $broken", ({ format, broken, says }) => {
    const attempt = () => edit(format, broken, entry);
    expect(attempt).toThrow(ConnectError);
    expect(attempt).toThrow(expect.objectContaining({ code: "BROKEN_FILE", message: expect.stringMatching(says) }));
  });

  it.each<{ format: Format; odd: string }>([
    { format: "json", odd: '{"mcpServers": {}, "mcpServers": {}}' },
    { format: "json", odd: '{"mcpServers": []}' },
    { format: "toml", odd: "mcp_servers = { a = 1 }\n" },
    { format: "yaml", odd: "x: &x {a: 1}\nextensions: *x\n" },
  ])("$format: what has no place for our entry is refused: $odd", ({ format, odd }) => {
    expect(() => edit(format, odd, entry)).toThrow(expect.objectContaining({ code: "UNEDITABLE" }));
  });
});
