export { BrowserGate } from "./gate.tsx";
