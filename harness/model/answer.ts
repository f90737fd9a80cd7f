import type { ServerResponse } from "node:http";
import { answerChat } from "./answer-chat.ts";
import { answerMessages } from "./answer-messages.ts";
import { answerResponses } from "./answer-responses.ts";
import type { Decision } from "./decide.ts";
import type { Api, ModelRequest } from "./request.ts";
import type { Speak } from "./wording.ts";

const SPEAK: Readonly<Record<Api, Speak>> = {
  responses: answerResponses,
  chat: answerChat,
  messages: answerMessages,
};

/** Answers a request as its provider would, streaming if it was asked for. */
export function answer(response: ServerResponse, request: ModelRequest, decision: Decision, id: string): void {
  if (decision.status !== undefined) {
    sendJson(response, decision.status, { type: "error", error: { type: "api_error", message: "As scripted" } });
    return;
  }
  const { body, events } = SPEAK[request.api](decision, request, id);
  if (!request.stream) {
    sendJson(response, 200, body);
    return;
  }
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-cache" });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
