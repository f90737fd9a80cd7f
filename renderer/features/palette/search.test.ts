import { Inbox } from "lucide-react";
import { expect, test } from "vitest";
import { type Command, matching } from "./search.ts";

const command = (group: Command["group"], label: string): Command => ({
  id: label,
  group,
  label,
  icon: Inbox,
  run: () => {},
});

test("all words must be there, and the beginning counts most", () => {
  expect(rankOf("Pause notifications", "pause")).toBe(0);
  expect(rankOf("Pause notifications", "noti")).toBe(1);
  expect(rankOf("Pause notifications", "cation")).toBe(2);
  expect(rankOf("Pause notifications", "noti pause")).toBe(1);
  expect(rankOf("Pause notifications", "resume")).toBeUndefined();
  expect(rankOf("anything", " ")).toBe(0);
});

test("groups keep their order, hold the best first, and no more than are read at a glance", () => {
  const agents = Array.from({ length: 20 }, (_, n) => command("agents", `worker ${n}`));
  const groups = matching([...agents, command("views", "Network"), command("views", "Work")], "work");
  expect(groups.map(({ value }) => value)).toEqual(["views", "agents"]);
  expect(groups[0]?.items.map(({ label }) => label)).toEqual(["Work", "Network"]);
  expect(groups[1]?.items).toHaveLength(8);
});
