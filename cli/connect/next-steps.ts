import { TOKEN_VARIABLE } from "../../connect/index.ts";
import type { Job } from "./actions.ts";
import { daemonAddress } from "./daemon-address.ts";
import { howToVerify, verifiedClients } from "./verified.ts";

/** What is left for the person to do, in order. */
export function nextSteps({ run, profile, place, transport }: Job): string[] {
  const { isRunning } = daemonAddress(run, profile);
  const steps: string[] = [];
  if (!isRunning) steps.push("Start the daemon: agent-intercom start");
  if (transport === "http") {
    steps.push(
      `Where ${profile.name} is started, set ${TOKEN_VARIABLE} to the credential that this prints: agent-intercom connector create ${profile.id}`,
    );
  }
  if (place === "project" && transport === "stdio") {
    steps.push("Keep the file out of version control: it names a program of this machine.");
  }
  steps.push(profile.activate, profile.approval);
  const howTo = howToVerify(profile.id);
  if (howTo !== undefined && !verifiedClients(run).has(profile.id)) {
    steps.push(`To see it work with the ${profile.name} of this machine: ${howTo}`);
  }
  return steps;
}
