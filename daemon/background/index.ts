export { Background } from "./background.ts";
