import { type Health, IntercomError, PROTOCOL_NAME, PROTOCOL_VERSION } from "../../protocol/index.ts";

/**
 * Refuses to start a session with something that is not our daemon, or not ready for one.
 * @throws {IntercomError} `CONFLICT` with `details.reason` `incompatible`, or `INTERNAL` with `not_ready`.
 */
export function requireCompatible(health: Health): void {
  if (!speaksOurs(health)) {
    throw new IntercomError(
      "CONFLICT",
      `Expected ${PROTOCOL_NAME} ${PROTOCOL_VERSION}, found ${health.name} ${health.protocolVersion}`,
      { reason: "incompatible", name: health.name, protocolVersion: health.protocolVersion },
    );
  }
  if (health.status !== "ready") {
    throw new IntercomError("INTERNAL", "The daemon is not ready: its storage is unavailable", { reason: "not_ready" });
  }
}

/** Listeners that introduce themselves under another protocol's name list ours among those they serve as well. */
function speaksOurs({ name, protocolVersion, compatible }: Health): boolean {
  const major = majorOf(PROTOCOL_VERSION);
  if (name === PROTOCOL_NAME) return majorOf(protocolVersion) === major;
  return (compatible ?? []).some((entry) => {
    const [other, version] = entry.split("/");
    return other === PROTOCOL_NAME && majorOf(version) === major;
  });
}

function majorOf(version: string | undefined): string | undefined {
  return version?.split(".")[0];
}
