export { openInBrowser } from "./open.tsx";
