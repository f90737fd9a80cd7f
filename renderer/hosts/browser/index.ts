import "./no-eval.ts";

export { openInBrowser } from "./open.tsx";
