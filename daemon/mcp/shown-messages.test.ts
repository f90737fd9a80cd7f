import { describe, expect, it } from "vitest";
import { ShownMessages } from "./shown-messages.ts";

describe("ShownMessages", () => {
  it("knows what was shown whole, and how far the rest was", () => {
    const shown = new ShownMessages();
    shown.note("exec_1", "msg_1", "all");
    shown.note("exec_1", "msg_2", 700);
    shown.note("exec_2", "msg_3", "all");
    expect(shown.whole("exec_1")).toEqual(["msg_1"]);
    expect([shown.unfinished("exec_1"), shown.unfinished("exec_2")]).toEqual(["msg_2", undefined]);
    expect([shown.shownTo("exec_1", "msg_2"), shown.shownTo("exec_1", "msg_9")]).toEqual([700, 0]);
  });

  it("shows from the beginning what comes again although it was shown whole", () => {
    const shown = new ShownMessages();
    shown.note("exec_1", "msg_1", "all");
    expect(shown.shownTo("exec_1", "msg_1")).toBe(0);
  });

  it("forgets what is acknowledged, of one execution only", () => {
    const shown = new ShownMessages();
    for (const execution of ["exec_1", "exec_2"]) shown.note(execution, "msg_1", "all");
    shown.forget("exec_1", ["msg_1", "msg_2"]);
    expect([shown.whole("exec_1"), shown.whole("exec_2")]).toEqual([[], ["msg_1"]]);
  });

  it("does not grow without end: who has not called for longest is forgotten", () => {
    const shown = new ShownMessages();
    for (let n = 0; n <= 10_000; n += 1) {
      shown.note(`exec_${n}`, "msg", "all");
      shown.note("exec_0", "msg", "all");
    }
    expect([shown.whole("exec_0"), shown.whole("exec_1"), shown.whole("exec_2")]).toEqual([["msg"], [], ["msg"]]);
  });
});
