import { operationTool } from "../operation-tool.ts";

export const publishOutput = operationTool("publishOutput", {
  name: "publish_output",
  title: "Publish an output",
  description: "Publish a value on an output stream for readers outside of this scope.",
  fields: {
    streamId: "Id of the stream.",
    contentType: "text/plain for a string, application/json for any other value.",
    value: "The value: text, or any JSON but null.",
    reference: "A link that goes with the value.",
  },
  next: { PERMISSION_DENIED: "The owner of the scope has to name this agent as a publisher of the stream." },
});

export const askUser = operationTool("askHuman", {
  name: "ask_user",
  title: "Ask the user",
  description:
    "Ask the human who owns this scope a question only a human may decide. It returns the open question at once; the " +
    "answer arrives in your inbox.",
  fields: { question: "The question.", options: "Two to four answers to choose from, if there are such." },
  next: { BACKPRESSURE: "Wait until the human has answered some of the open questions." },
});

export const getNodeStatus = operationTool("whoAmI", {
  name: "get_node_status",
  title: "Show own status",
  description: "Who you are on this bus: scope, agent id, execution, lease, and how other agents see you.",
  readOnly: true,
  fields: {},
});
