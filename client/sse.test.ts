import { describe, expect, it } from "vitest";
import { type ServerSentEvent, SseParser } from "./sse.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

function parse(...chunks: (string | Uint8Array)[]): ServerSentEvent[] {
  const parser = new SseParser();
  return chunks.flatMap((chunk) => parser.push(typeof chunk === "string" ? bytes(chunk) : chunk));
}

describe("SseParser", () => {
  it.each(["\n", "\r\n", "\r"])("gives the same at every border of chunks, with lines ending in %j", (end) => {
    const stream = bytes(
      [": hi", "id: 7", "event: resync", 'data: {"ä":"😀"}', "", "data: b", "data: c", "", ""].join(end),
    );
    const expected = [
      { id: "7", type: "resync", data: '{"ä":"😀"}' },
      { id: "7", type: "message", data: "b\nc" },
    ];
    for (let at = 0; at <= stream.length; at += 1) {
      expect(parse(stream.slice(0, at), stream.slice(at))).toEqual(expected);
    }
    expect(parse(...[...stream].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  });

  it("takes off one space after the colon and accepts none", () => {
    expect(parse("data:a\ndata:  b\n\n")[0]?.data).toBe("a\n b");
  });

  it("ignores comments, unknown fields, and events without data", () => {
    expect(parse(": ping\n\nretry: 10\nnoise\nevent: x\nid: 3\n\ndata: a\n\n")).toEqual([
      { id: "3", type: "message", data: "a" },
    ]);
  });

  it("accepts an empty data line and clears the id with an empty one", () => {
    expect(parse("id: 1\ndata\n\nid\ndata: b\n\n")).toEqual([
      { id: "1", type: "message", data: "" },
      { id: "", type: "message", data: "b" },
    ]);
  });

  it("ignores an id with NUL and a byte order mark", () => {
    expect(parse("\uFEFFid: 4\u0000\ndata: a\n\n")).toEqual([{ id: "", type: "message", data: "a" }]);
  });

  it("does not report an event the stream breaks off in", () => {
    expect(parse("data: a\n\ndata: b\n")).toEqual([{ id: "", type: "message", data: "a" }]);
  });
});
