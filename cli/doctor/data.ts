import type { DataCheck, DataFinding } from "../../daemon/index.ts";
import type { Directories } from "../../daemon/runtime/paths.ts";
import { toCliError } from "../errors.ts";
import { type Finding, fail, fixed, ok, warn } from "./finding.ts";

/** Earlier states that are named; older ones are of less and less use. */
const NAMED = 3;

interface DataOptions {
  /** Repair what can be repaired. */
  readonly fix: boolean;
  /** The directory as it was named on the command line, for commands that name it again. */
  readonly dataDir: string | undefined;
}

/** Whether the data agrees with itself, and what lies around it. With `fix` what can be repaired is. */
export async function checkData(directories: Directories, { fix, dataDir: given }: DataOptions): Promise<Finding[]> {
  // Brings the database driver along.
  const { examineData } = await import("../../daemon/index.ts");
  const { dataDir, runtimeDir } = directories;
  try {
    return dataFindings(await examineData({ dataDir, runtimeDir, repair: fix }), given);
  } catch (error) {
    const { message } = toCliError(error);
    return [fail("data", message, "The data was not looked at.", "See what stands in place of the data.")];
  }
}

export function dataFindings(check: DataCheck, dataDir?: string): Finding[] {
  const { exists, findings, damage } = check;
  const place = dataDir === undefined ? "" : ` --data-dir ${dataDir}`;
  const all = findings.map((finding) => toFinding(finding, place));
  if (damage.length > 0) return [...all, damaged(check, place)];
  return exists && all.every(({ level }) => level === "fixed") ? [...all, ok("data", "The data is sound")] : all;
}

function toFinding({ check, found, meaning, state }: DataFinding, place: string): Finding {
  const fix = `agent-intercom doctor --fix${place}`;
  switch (state) {
    case "repaired":
      return fixed(check, `Repaired: ${found}`);
    case "found":
      return warn(check, found, meaning, fix);
    case "waits":
      return warn(check, found, meaning, `It waits for the daemon to stop: agent-intercom stop, then ${fix}`);
  }
}

function damaged({ damage, inUse, earlierStates }: DataCheck, place: string): Finding {
  const stop = inUse ? "agent-intercom stop, then " : "";
  const [newest] = earlierStates;
  const restore =
    newest === undefined
      ? "Restore your newest backup: "
      : `Restore your newest backup. Beside the data there are ${earlierStates.slice(0, NAMED).join(", ")}: `;
  return fail(
    "database",
    `The database is damaged: ${damage.slice(0, NAMED).join("; ")}`,
    "Some of what was accepted may be lost. This is not repaired by itself, because that could lose more.",
    `${restore}${stop}agent-intercom backup restore ${newest ?? "FILE"}${place} --yes`,
  );
}
