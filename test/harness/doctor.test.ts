import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { programs } from "../../harness/index.ts";
import { CliHome } from "../support/cli.ts";
import { areInstalled, BIN } from "./installed.ts";

/** The doctor's round trip with each real program, over stdio and as they are found on the PATH. */

interface Report {
  readonly healthy: boolean;
  readonly examined: {
    evidence: { client: string; clientVersion: string; checks: { name: string; ok: boolean; detail?: string }[] };
  }[];
}

describe.runIf(areInstalled)("doctor --harness all", () => {
  let cli: CliHome;
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    cli = new CliHome();
    env = { HOME: cli.home, PATH: `${BIN}:${process.env.PATH}` };
    await cli.run(["start"]);
  });
  afterAll(() => cli.close());

  test("passes with the versions the programs are known with, and connect says so from then on", async () => {
    const outcome = await cli.call(["doctor", "--harness", "all", "--json"], { env });
    const { healthy, examined } = outcome.json<Report>();
    const failed = examined.flatMap(({ evidence: { client, checks } }) =>
      checks.filter(({ ok }) => !ok).map((check) => [client, check]),
    );
    expect(failed).toEqual([]);
    expect([outcome.code, healthy]).toEqual([0, true]);
    const versions = examined.map(({ evidence: { client, clientVersion } }) => [client, clientVersion]);
    expect(versions).toEqual(programs.map(({ client, seenWith }) => [client, seenWith]));
    const survey = (await cli.call(["connect"], { env })).stdout;
    for (const { client, seenWith } of programs)
      expect(survey).toMatch(new RegExp(`^${client} .* ${seenWith} on \\d{4}-`, "m"));
    expect((await cli.admin().listScopes()).map(({ scopeId }) => scopeId)).toEqual(["default"]);
  });
});
