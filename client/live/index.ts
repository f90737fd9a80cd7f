export { LiveView, type LiveViewOptions } from "./live-view.ts";
