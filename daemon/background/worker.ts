import { parentPort } from "node:worker_threads";
import { isIntercomError } from "../../protocol/index.ts";
import { toCallerError } from "../store/index.ts";
import { perform } from "./jobs.ts";
import type { Answer, Order } from "./worker-link.ts";

/** The thread in which jobs are done, one after the other. Each order but one that begins a job gets one answer. */

let steps: AsyncGenerator<unknown, unknown> | undefined;

parentPort?.on("message", async (order: Order) => {
  if (order === "next") parentPort?.postMessage(await nextStep());
  else steps = perform(order.job);
});

async function nextStep(): Promise<Answer> {
  try {
    if (!steps) throw new Error("no job was begun");
    const { done, value } = await steps.next();
    return done ? { result: value } : { chunk: value };
  } catch (thrown) {
    const error = toCallerError(thrown);
    if (isIntercomError(error)) return { refusal: error.toValue() };
    return { failure: error instanceof Error ? error : String(error) };
  }
}
