import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { archives } from "./archives.ts";
import { backup } from "./backup.ts";
import { history } from "./history.ts";
import { latency } from "./latency.ts";
import { missed, type Row, table } from "./lib/report.ts";
import { mcp } from "./mcp.ts";
import { mixedCycle } from "./mixed-cycle.ts";
import { retention } from "./retention.ts";
import { startup } from "./startup.ts";
import { throughput } from "./throughput.ts";

/** `npm run bench [-- --quick] [-- name ...]`: prints one table and writes it as JSON. Ratios come from one run. */
const { values, positionals } = parseArgs({ options: { quick: { type: "boolean" } }, allowPositionals: true });
const quick = values.quick === true;

const benchmarks: Readonly<Record<string, () => Promise<Row[]>>> = {
  throughput: () => throughput(quick ? 1 : 4),
  latency: () => latency(),
  mcp: () => mcp(quick ? 1 : 3),
  cycle: () => mixedCycle(quick ? 500 : 5000),
  history: () => history(quick ? 50_000 : 1_000_000, quick ? 5000 : 100_000),
  startup: () => startup(quick ? 5 : 15),
  archives: () => archives(quick ? 10_000 : 100_000),
  backup: () => backup(quick ? 100 : 1000),
  retention: () => retention(quick ? 50_000 : 1_000_000),
};

const unknown = positionals.filter((name) => !(name in benchmarks));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(", ")}; expected ${Object.keys(benchmarks).join(", ")}`);
  process.exit(2);
}
const rows: Row[] = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(benchmarks)) {
  console.error(`running ${name} ...`);
  rows.push(...((await benchmarks[name]?.()) ?? []));
}
console.log(table(rows));
const results = join(import.meta.dirname, "results");
mkdirSync(results, { recursive: true });
const machine = { node: process.version, platform: process.platform, arch: process.arch, cores: cpus().length };
writeFileSync(
  join(results, "latest.json"),
  `${JSON.stringify({ at: new Date().toISOString(), quick, machine, rows }, null, 2)}\n`,
);
if (missed(rows).length > 0) console.log(`\n${missed(rows).length} target(s) missed`);
