import type { Overview } from "../../protocol/index.ts";
import { COMPATIBLE_PROTOCOLS, PROTOCOL_NAME, PROTOCOL_VERSION } from "../../protocol/index.ts";
import type { Running } from "../daemon-process/running.ts";
import { bytes } from "../output/text.ts";
import { duration } from "../output/time.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

/** Clocks of one machine agree; more than this apart, one of the two readings jumped. */
const CLOCK_TOLERANCE_MS = 5000;
const LARGE_WAL = 256 * 1024 * 1024;

/** Whether a daemon runs, is the one the run file names, and speaks what this command speaks. */
export function checkDaemon(running: Running, version: string): Finding[] {
  switch (running.state) {
    case "stopped":
      return [
        fail("daemon", "The daemon is not running", "Agents can neither send nor receive.", "agent-intercom start"),
      ];
    case "untrusted":
      return [
        fail(
          "run-file",
          running.reason,
          "Somebody else could have written it, so it is not followed.",
          "Find out who made it, remove it, start the daemon again.",
        ),
      ];
    case "stale":
      return [
        fail(
          "daemon",
          `The daemon (pid ${running.run.pid}) ended without clearing up`,
          "Agents can neither send nor receive. Nothing that was accepted is lost.",
          "agent-intercom start",
        ),
      ];
    case "unresponsive":
      return [
        ok("run-file", "The run file is sound"),
        fail(
          "daemon",
          `The daemon (pid ${running.run.pid}) does not answer at ${running.run.address}`,
          "It hangs, is suspended, or something keeps local connections from it.",
          "Look at its log, then: agent-intercom stop, agent-intercom start",
        ),
      ];
    case "running":
      return [ok("run-file", "The run file is sound"), ...checkAnswer(running, version)];
  }
}

function checkAnswer({ run, health }: Running & { state: "running" }, version: string): Finding[] {
  const findings = [ok("daemon", `The daemon answers at ${run.address} (pid ${run.pid})`)];
  if (health.name !== PROTOCOL_NAME || health.protocolVersion !== PROTOCOL_VERSION) {
    const spoken = `${health.name} ${health.protocolVersion}`;
    findings.push(
      fail(
        "protocol",
        `It speaks ${spoken}, this command ${PROTOCOL_NAME} ${PROTOCOL_VERSION}`,
        "They may misunderstand each other.",
        "Stop the daemon and start it with this version.",
      ),
    );
  } else {
    findings.push(ok("protocol", `Protocol ${health.protocolVersion}, also ${COMPATIBLE_PROTOCOLS.join(", ")}`));
  }
  if (run.octoberBusAddress !== undefined) {
    findings.push(ok("october-bus", `Clients of October Bus 0.1 are served at ${run.octoberBusAddress}`));
  }
  if (health.runtimeVersion === version) findings.push(ok("version", `Version ${version}`));
  else {
    findings.push(
      warn(
        "version",
        `The daemon is version ${health.runtimeVersion}, this command ${version}`,
        "An update takes effect when the daemon starts again.",
        "agent-intercom stop, then agent-intercom start",
      ),
    );
  }
  if (health.storage.status !== "available" || health.status !== "ready") {
    findings.push(
      fail(
        "storage",
        `Storage (${health.storage.backend}) is ${health.storage.status}`,
        "The daemon refuses work rather than lose it.",
        "Look for a full disk or changed permissions, then at the daemon's log.",
      ),
    );
  }
  return findings;
}

/** What the daemon's own numbers say about storage and clock. */
export function checkOverview(overview: Overview, now: number): Finding[] {
  const { databaseBytes, walBytes, backend } = overview.storage;
  const size = `Storage: ${backend}, ${bytes(databaseBytes + walBytes)}`;
  const storage =
    walBytes > LARGE_WAL
      ? warn(
          "storage",
          `${size}, of which ${bytes(walBytes)} are not merged yet`,
          "Something holds an old view of the database open.",
          "Close programs that read the database file, then restart the daemon.",
        )
      : ok("storage", size);
  return [storage, checkClock(Date.parse(overview.generatedAt), now)];
}

function checkClock(daemonNow: number, now: number): Finding {
  const apart = Math.abs(daemonNow - now);
  if (apart <= CLOCK_TOLERANCE_MS) return ok("clock", "The daemon's clock agrees with this one");
  return warn(
    "clock",
    `The daemon's clock is ${duration(apart)} ${daemonNow > now ? "ahead" : "behind"}`,
    "The clock was changed while the daemon ran: leases and deadlines end too early or too late.",
    "Check the date, then restart the daemon.",
  );
}
