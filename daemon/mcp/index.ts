export { createMcpMount } from "./mount.ts";
