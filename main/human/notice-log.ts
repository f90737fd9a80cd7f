import type { Escalation, OperationInput } from "../../protocol/index.ts";
import type { AppContext } from "../shell.ts";

type Notice = OperationInput<"recordEscalationNotice">;

/** What has been recorded lately, so that it is not sent again with every change of the picture. */
const REMEMBERED = 2_000;

/** Records for the audit where a question was shown and what came of it. That it cannot be recorded stops nothing. */
export class NoticeLog {
  readonly #context: Pick<AppContext, "call" | "logger">;
  readonly #recorded = new Set<string>();

  constructor(context: Pick<AppContext, "call" | "logger">) {
    this.#context = context;
  }

  record(
    { id, scopeId }: Pick<Escalation, "id" | "scopeId">,
    surface: Notice["surface"],
    verdict: Notice["verdict"],
  ): void {
    const key = `${id} ${surface} ${verdict}`;
    if (this.#recorded.has(key)) return;
    this.#recorded.add(key);
    const [oldest] = this.#recorded;
    if (this.#recorded.size > REMEMBERED && oldest !== undefined) this.#recorded.delete(oldest);
    this.#context.call("recordEscalationNotice", { escalationId: id, surface, verdict }, scopeId).catch((error) => {
      this.#recorded.delete(key);
      this.#context.logger.debug("a notice was not recorded", { error });
    });
  }
}
