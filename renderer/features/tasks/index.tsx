import { ListTodo, Plus } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import { useCached, useCaches } from "../../data/caches.ts";
import { OneScopeSelect, useOneScope } from "../../data/one-scope.tsx";
import { cx } from "../../lib/cx.ts";
import { useApp, useAppHandle, useAppParts, useText } from "../../state/context.tsx";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Problem } from "../../ui/problem.tsx";
import { Select } from "../../ui/select.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { SearchField } from "../../ui/text-field.tsx";
import { TaskBoard } from "./task-board.tsx";
import { TaskDetail } from "./task-detail.tsx";
import { TaskForm } from "./task-form.tsx";
import { TaskGraph } from "./task-graph.tsx";
import styles from "./tasks.module.css";
import { tasksView } from "./view-state.ts";

export default function TasksView() {
  const t = useText();
  const scopeId = useOneScope();
  if (scopeId) return <ScopeTasks key={scopeId} scopeId={scopeId} />;
  return (
    <Page title={t("view.tasks")}>
      <EmptyState icon={<ListTodo />} title={t("tasks.empty.title")}>
        <p>{t("tasks.empty.text")}</p>
      </EmptyState>
    </Page>
  );
}

function ScopeTasks({ scopeId }: { readonly scopeId: string }) {
  const app = useAppHandle();
  const t = useText();
  const cache = useCaches().tasks.get(scopeId);
  const { status, error, tasks } = useCached(cache, (state) => state);
  const layout = useStore(tasksView, (state) => state.layout);
  const openId = useApp(({ route }) => (route.scopeId === scopeId ? route.id : undefined));
  const [isAdding, setAdding] = useState(false);
  const isEmpty = status === "ready" && Object.keys(tasks).length === 0;
  const add = (
    <Button look="primary" icon={<Plus />} onClick={() => setAdding(true)}>
      {t("tasks.new")}
    </Button>
  );
  return (
    <Page
      title={t("view.tasks")}
      tools={
        <>
          <OneScopeSelect />
          {!isEmpty && <TaskTools scopeId={scopeId} />}
          {!isEmpty && add}
        </>
      }
    >
      {error && <Problem title={t("tasks.failed")} error={error} onRetry={() => void cache.load()} />}
      {status === "loading" && <Skeleton rows={10} />}
      {isEmpty && (
        <EmptyState icon={<ListTodo />} title={t("tasks.empty.title")} actions={add}>
          <p>{t("tasks.empty.text")}</p>
        </EmptyState>
      )}
      {!isEmpty && status !== "loading" && (
        <div className={cx(styles.split, openId !== undefined && styles.detailed)}>
          <div className={styles.main}>
            {layout === "board" ? (
              <TaskBoard scopeId={scopeId} tasks={tasks} openId={openId} />
            ) : (
              <TaskGraph scopeId={scopeId} tasks={tasks} openId={openId} />
            )}
          </div>
          {openId !== undefined && (
            <TaskDetail
              key={openId}
              scopeId={scopeId}
              taskId={openId}
              tasks={tasks}
              onClose={() => app.navigate({ view: "tasks", scopeId })}
            />
          )}
        </div>
      )}
      {isAdding && <TaskForm scopeId={scopeId} tasks={tasks} onClose={() => setAdding(false)} />}
    </Page>
  );
}

const EVERYBODY = "";

function TaskTools({ scopeId }: { readonly scopeId: string }) {
  const t = useText();
  const { layout, text, agentId } = useStore(tasksView);
  const agents = useAppParts(({ live }) =>
    Object.values(live.agents)
      .flatMap((agent) => (agent.scopeId === scopeId ? [agent.id] : []))
      .sort(),
  );
  return (
    <>
      {layout === "board" && (
        <>
          <SearchField
            value={text}
            onChange={(event) => tasksView.setState({ text: event.target.value })}
            placeholder={t("tasks.search")}
            aria-label={t("tasks.search")}
          />
          <Select
            label={t("tasks.agent")}
            value={agentId ?? EVERYBODY}
            options={[
              { value: EVERYBODY, label: t("tasks.agent.all") },
              ...agents.map((id) => ({ value: id, label: id })),
            ]}
            onChange={(value) => tasksView.setState({ agentId: value === EVERYBODY ? undefined : value })}
          />
        </>
      )}
      <fieldset className={styles.layouts}>
        <legend className="visually-hidden">{t("tasks.show")}</legend>
        {(["board", "graph"] as const).map((value) => (
          <Button
            key={value}
            look="plain"
            className={styles.layout}
            aria-pressed={layout === value}
            onClick={() => tasksView.setState({ layout: value })}
          >
            {t(`tasks.${value}`)}
          </Button>
        ))}
      </fieldset>
    </>
  );
}
