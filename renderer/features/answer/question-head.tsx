import { BadgeQuestionMark, ListChecks, ShieldQuestionMark, Siren, Unplug } from "lucide-react";
import { agentKey } from "../../../protocol/desktop/live.ts";
import type { Escalation } from "../../../protocol/objects/escalation.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { useApp, useText } from "../../state/context.tsx";
import { AgentName } from "../../ui/agent-name.tsx";
import { Badge } from "../../ui/badge.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { shapeOf } from "./choices.ts";
import styles from "./question.module.css";
import { TimeLeft } from "./time-left.tsx";

const ICONS = { options: ListChecks, permission: ShieldQuestionMark, words: BadgeQuestionMark } as const;

/** Who asks, from where, how pressing it is and for how long it waits. */
export function QuestionHead({ question }: { readonly question: Escalation }) {
  const t = useText();
  const agent = useApp((state) => state.live.agents[agentKey(question.scopeId, question.agentId)]);
  const hasScopes = useApp((state) => Object.keys(state.live.scopes).length > 1);
  const Icon = ICONS[question.kind === "permission" ? "permission" : shapeOf(question)];
  const { harness, harnessVersion, model, cwd } = agent?.metadata ?? {};
  const facts = [
    ...(hasScopes ? [[t("answer.where.scope"), question.scopeId] as const] : []),
    ...(cwd ? [[t("answer.where.folder"), cwd] as const] : []),
    ...(harness ? [[t("answer.where.program"), [harness, harnessVersion].filter(Boolean).join(" ")] as const] : []),
    ...(model ? [[t("answer.where.model"), model] as const] : []),
  ];
  return (
    <header className={styles.head}>
      <div className={styles.who}>
        <h2>
          <AgentName id={question.agentId} claimed={agent?.displayName} />
        </h2>
        <RelativeTime
          at={question.createdAt}
          sentence={(when) => t("answer.asked", { when })}
          className={styles.when}
        />
        {agent?.reachable === false && <Badge icon={<Unplug aria-hidden="true" />}>{t("answer.unreachable")}</Badge>}
      </div>
      {facts.length > 0 && (
        <dl className={styles.facts} title={t("answer.where.claims")}>
          {facts.map(([name, value]) => (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>
                <bdi>{visibleLine(value, 200)}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.badges}>
        <Badge icon={<Icon aria-hidden="true" />}>{t(`answer.kind.${question.kind}`)}</Badge>
        {question.urgency === "high" && (
          <Badge tone="bad" icon={<Siren aria-hidden="true" />}>
            {t("answer.urgent")}
          </Badge>
        )}
        {question.urgency === "low" && <Badge>{t("answer.low")}</Badge>}
        <TimeLeft question={question} />
      </div>
    </header>
  );
}
