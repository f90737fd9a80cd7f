import type { ArchiveExtensionList, ArchiveExtensionRecord, ArchiveList, ArchiveRecord } from "../../protocol/index.ts";
import { agents, extendedAgents, linkRequests, links } from "./archive-export-agents.ts";
import { escalations, extendedEscalations } from "./archive-export-escalations.ts";
import { extendedMessages, messages } from "./archive-export-messages.ts";
import { a2aMessages, a2aTasks, outputStreams, outputValues, publications } from "./archive-export-outside.ts";
import type { Source } from "./archive-export-source.ts";
import { extendedTasks, progress, tasks } from "./archive-export-tasks.ts";

/** Where the records of each list come from. */
export const archiveLists: { readonly [L in ArchiveList]: Source<ArchiveRecord<L>> } = {
  agents,
  links,
  messages,
  tasks,
  taskProgress: (ctx, scope) => progress(ctx, scope, false),
  escalations,
  agentCardPublications: publications,
  a2aTasks,
  a2aMessages,
  outputStreams,
  outputValues,
};

export const archiveExtensions: { readonly [L in ArchiveExtensionList]: Source<ArchiveExtensionRecord<L>> } = {
  agents: extendedAgents,
  messages: extendedMessages,
  tasks: extendedTasks,
  taskProgress: (ctx, scope) => progress(ctx, scope, true),
  escalations: extendedEscalations,
  linkRequests,
};
