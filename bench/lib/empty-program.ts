import { join } from "node:path";
import Database from "better-sqlite3";
import express from "express";

/** The least a program on the same libraries can do: open a database, answer one route. */
const connection = new Database(join(process.argv[2] as string, "empty.db"));
connection.pragma("journal_mode = WAL");
connection.exec("CREATE TABLE IF NOT EXISTS t (x)");
const app = express();
app.get("/health/ready", (_request, response) => {
  response.json(connection.prepare("SELECT 1 AS one").get());
});
const server = app.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
});
