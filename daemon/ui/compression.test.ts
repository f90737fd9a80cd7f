import { expect, test } from "vitest";
import { acceptedEncoding, Compression } from "./compression.ts";

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP;q=0.5", "gzip"],
  ["br;q=0, gzip;q=0.1", "gzip"],
  ["br;q=0.0,gzip;q=0", undefined],
  ["identity", undefined],
  ["", undefined],
  [undefined, undefined],
  ["broken;;;,=,br2", undefined],
] as const)("%j accepts %s", (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding);
});

test("each file is compressed once for each encoding", async () => {
  const compression = new Compression();
  const content = Buffer.from("a".repeat(5000));
  const file = { type: "text/plain", content, tag: "t", immutable: true, compressible: true };
  const [one, again] = await Promise.all([compression.content(file, "br"), compression.content(file, "br")]);
  expect(again).toBe(one);
  expect(await compression.content(file, "gzip")).not.toBe(one);
});
