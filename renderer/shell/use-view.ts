import { type ComponentType, useEffect, useState } from "react";
import { VIEWS, type View } from "../../protocol/desktop/names.ts";
import { views } from "./views.ts";

const loaded = new Map<View, ComponentType>();

async function load(view: View): Promise<ComponentType> {
  const known = loaded.get(view);
  if (known) return known;
  const { default: component } = await views[view].load();
  loaded.set(view, component);
  return component;
}

/**
 * The component of a view, or undefined while its file comes. The others are fetched as soon as there is time, so that going
 * to one is drawing it and nothing else; React's own `lazy` would show a placeholder for a moment even then.
 * @throws what kept the file from coming
 */
export function useView(view: View): ComponentType | undefined {
  const [failed, setFailed] = useState<unknown>();
  const [, setCount] = useState(0);
  const component = loaded.get(view);
  useEffect(() => {
    let ended = false;
    load(view).then(
      () => ended || setCount(loaded.size),
      (error: unknown) => ended || setFailed(error),
    );
    return () => {
      ended = true;
    };
  }, [view]);
  useEffect(() => {
    if (!component) return;
    // What fails here is told when somebody wants to see it.
    const fetchAll = () => void Promise.allSettled(VIEWS.map(load));
    const timer = setTimeout(fetchAll, 200);
    return () => clearTimeout(timer);
  }, [component]);
  if (failed !== undefined && !component) throw failed;
  return component;
}
