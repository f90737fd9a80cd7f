export { octoberBusDialect } from "./dialect.ts";
