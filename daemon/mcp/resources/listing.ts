import type { ListResourcesResult, ListResourceTemplatesResult } from "@modelcontextprotocol/server";
import { AGENTS, INBOX, TASKS } from "./resource.ts";

export const MIME_TYPE = "application/json";

export const RESOURCES: ListResourcesResult = {
  resources: [
    {
      uri: INBOX,
      name: "inbox",
      title: "Inbox",
      description: "Messages that wait for you. Looking takes none of them out.",
      mimeType: MIME_TYPE,
    },
    {
      uri: AGENTS,
      name: "agents",
      title: "Agents",
      description: "You, and the agents you may message.",
      mimeType: MIME_TYPE,
    },
    {
      uri: TASKS,
      name: "tasks",
      title: "Tasks",
      description: "Tasks of your scope that are not finished.",
      mimeType: MIME_TYPE,
    },
  ],
};

export const TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${TASKS}/{id}`,
      name: "task",
      title: "Task",
      description: "One task with its progress.",
      mimeType: MIME_TYPE,
    },
    {
      uriTemplate: "intercom://conversation/{agent}",
      name: "conversation",
      title: "Conversation",
      description: "Messages between you and another agent, or the human.",
      mimeType: MIME_TYPE,
    },
  ],
};
