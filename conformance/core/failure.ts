/** A request as the report shows it: without credentials, with long text cut short. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What a check found other than it should be. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
  readonly request: RecordedRequest | undefined;
  readonly expected: unknown;
  readonly got: unknown;

  constructor(message: string, facts: { request?: RecordedRequest | undefined; expected?: unknown; got?: unknown }) {
    super(message);
    this.request = facts.request;
    this.expected = facts.expected;
    this.got = facts.got;
  }
}

/** The check needs something that an earlier one should have made. */
export class MissingPrerequisite extends Error {
  override readonly name = "MissingPrerequisite";
  /** Name of the earlier check. */
  readonly check: string;

  constructor(check: string, what: string) {
    super(`Needs ${what}, which ${check} should have made`);
    this.check = check;
  }
}

/** The check cannot run here, and that is no fault of the target. */
export class CheckSkipped extends Error {
  override readonly name = "CheckSkipped";
}
