import {
  BadgeQuestionMark,
  Bell,
  BellOff,
  Bot,
  ClipboardCopy,
  DatabaseBackup,
  Keyboard,
  type LucideIcon,
  Monitor,
  Moon,
  RotateCcw,
  Sun,
  Undo2,
} from "lucide-react";
import { useMemo } from "react";
import { THEMES, VIEWS } from "../../../protocol/desktop/names.ts";
import { visibleLine } from "../../lib/visible-text.ts";
import { views } from "../../shell/views.ts";
import { useApp, useAppHandle, useText } from "../../state/context.tsx";
import { byUrgency, questionsShown } from "../../state/selectors.ts";
import { useBackup } from "../../state/use-backup.ts";
import { useDesktop } from "../../state/use-desktop.ts";
import { useLook } from "../../state/use-look.ts";
import { usePause } from "../../state/use-pause.ts";
import { undoLastAnswer } from "../answer/use-answering.ts";
import type { Command } from "./search.ts";

const THEME_ICONS: Readonly<Record<(typeof THEMES)[number], LucideIcon>> = { system: Monitor, light: Sun, dark: Moon };

/** Everything the palette offers at this moment. */
export function useCommands(): readonly Command[] {
  const places = usePlaces();
  const actions = useActions();
  return [...places, ...actions];
}

/** Where one can go: views, questions that wait, agents. */
function usePlaces(): readonly Command[] {
  const app = useAppHandle();
  const t = useText();
  const questions = useApp((state) => state.live.questions);
  const agents = useApp((state) => state.live.agents);
  const scopeId = useApp((state) => state.scopeId);
  return useMemo(
    () => [
      ...VIEWS.map((view) => ({
        id: `view ${view}`,
        group: "views" as const,
        label: t(`view.${view}`),
        icon: views[view].icon,
        shortcut: `g ${views[view].key}`,
        run: () => app.navigate({ view }),
      })),
      ...[...questionsShown(questions, scopeId)].sort(byUrgency).map((question) => ({
        id: `question ${question.id}`,
        group: "questions" as const,
        label: visibleLine(question.question, 90),
        detail: question.agentId,
        icon: BadgeQuestionMark,
        run: () => app.navigate({ view: "inbox", scopeId: question.scopeId, id: question.id }),
      })),
      ...Object.values(agents)
        .filter((agent) => scopeId === undefined || agent.scopeId === scopeId)
        .map((agent) => ({
          id: `agent ${agent.scopeId} ${agent.id}`,
          group: "agents" as const,
          label: agent.id,
          detail: visibleLine([agent.metadata?.harness, agent.metadata?.cwd].filter(Boolean).join(" · "), 80),
          icon: Bot,
          run: () => app.navigate({ view: "sessions", scopeId: agent.scopeId, id: agent.id }),
        })),
    ],
    [app, t, questions, agents, scopeId],
  );
}

/** What one can do, here in the desktop or in a browser tab. */
function useActions(): readonly Command[] {
  const app = useAppHandle();
  const t = useText();
  const desktop = useDesktop();
  const pause = usePause();
  const backup = useBackup();
  const [look, setLook] = useLook();
  const pausedUntil = useApp((state) => state.desktop?.pausedUntil);
  const action = (id: string, label: string, icon: LucideIcon, run: () => void, shortcut?: string): Command => ({
    id,
    group: "actions",
    label,
    icon,
    run,
    ...(shortcut ? { shortcut } : {}),
  });
  const ofDesktop = [
    ...(pausedUntil
      ? [action("resume", t("palette.resume"), Bell, pause.end)]
      : [
          action("pause half hour", t("palette.pauseHalfHour"), BellOff, pause.forHalfHour),
          action("pause tomorrow", t("palette.pauseTomorrow"), BellOff, pause.untilTomorrow),
        ]),
    action("diagnostics", t("palette.diagnostics"), ClipboardCopy, () => void desktop.ask("copyDiagnostics", {})),
    action("restart", t("palette.restart"), RotateCcw, () => void desktop.ask("restartDaemon", {})),
  ];
  return [
    action("undo", t("palette.undo"), Undo2, undoLastAnswer, "u"),
    action("backup", t("palette.backup"), DatabaseBackup, () => void backup()),
    ...THEMES.filter((theme) => theme !== look.theme).map((theme) =>
      action(`theme ${theme}`, t(`palette.theme.${theme}`), THEME_ICONS[theme], () => setLook({ theme })),
    ),
    ...(app.host.desktop ? ofDesktop : []),
    action("shortcuts", t("palette.shortcuts"), Keyboard, () => app.setOverlay("shortcuts"), "?"),
  ];
}
