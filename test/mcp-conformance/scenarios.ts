import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { packageFolder, SUITE } from "./installed.ts";

/** What the suite runs against servers of one revision of the protocol. */
export interface Requirements {
  /** Scenarios that have to pass. */
  readonly required: readonly string[];
  /** Scenarios that count for nothing: they came later, or belong to an extension. */
  readonly notScored: readonly string[];
}

interface RequirementsFile {
  readonly server: readonly string[];
  readonly not_scored: readonly { readonly scenario: string; readonly leg: string }[];
}

/** Reads it from the suite itself. */
export function requirementsOf(revision: string): Requirements {
  const text = readFileSync(join(packageFolder(SUITE), "requirements", `${revision}.yaml`), "utf8");
  const { server, not_scored } = parse(text) as RequirementsFile;
  return {
    required: server,
    notScored: not_scored.filter(({ leg }) => leg === "server").map(({ scenario }) => scenario),
  };
}

/** One thing a scenario has looked at. */
export interface Check {
  readonly id: string;
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  readonly errorMessage?: string;
}

/** What the suite found, scenario by scenario, as far as each got. @param folder where it has put its results */
export function resultsIn(folder: string): Map<string, readonly Check[]> {
  const results = new Map<string, readonly Check[]>();
  for (const name of readdirSync(folder)) {
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1];
    if (scenario === undefined) throw new Error(`Not the result of a scenario: ${name}`);
    const file = join(folder, name, "checks.json");
    results.set(scenario, existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : []);
  }
  return results;
}
