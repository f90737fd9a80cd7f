import { createStore } from "zustand/vanilla";

interface TasksViewState {
  readonly layout: "board" | "graph";
  readonly text: string;
  readonly agentId: string | undefined;
  /** The task the graph is drawn around, by scope. */
  readonly focus: Readonly<Record<string, string | undefined>>;
}

/** What the view looks at; it stays so while other views are looked at. */
export const tasksView = createStore<TasksViewState>(() => ({
  layout: "board",
  text: "",
  agentId: undefined,
  focus: {},
}));

/** Draws the graph around a task. */
export function focusOn(scopeId: string, taskId: string | undefined): void {
  tasksView.setState(({ focus }) => ({ layout: "graph", focus: { ...focus, [scopeId]: taskId } }));
}
