export { LiveView } from "./live-view.ts";
