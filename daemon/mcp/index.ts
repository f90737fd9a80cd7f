export { createMcpMount, type McpMount } from "./mount.ts";
