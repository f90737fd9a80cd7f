import { BY_SCOPE, type Row, row } from "./rows.ts";
import type { Stage } from "./stage.ts";

const streams: readonly Row[] = [
  row("Output stream: [*] --> open: createOutputStream", async (stage) =>
    stage.call(stage.scope, "createOutputStream", { name: "news", retentionLimit: 7 }, ({ id }) => [
      ["output.stream_created", id, { retentionLimit: "7", ...BY_SCOPE }],
    ]),
  ),
  row("Output stream: open --> open: publishOutput", async (stage) => {
    const streamId = await stage.stream();
    const reference = { uri: `https://example.org/${stage.text()}`, title: stage.text() };
    const input = { streamId, contentType: "application/json" as const, value: { at: stage.text() }, reference };
    return stage.call(stage.ada, "publishOutput", input, () => [
      [
        "output.published",
        streamId,
        { sequence: "1", producerType: "agent", producerId: "ada", contentType: "application/json" },
      ],
    ]);
  }),
  row("Output stream: open --> open: addOutputPublisher", async (stage) => {
    const streamId = await stage.stream();
    return stage.call(stage.scope, "addOutputPublisher", { streamId, agentId: "ben" }, () => [
      ["output.publisher_added", streamId, { agentId: "ben", ...BY_SCOPE }],
    ]);
  }),
  row("Output stream: open --> open: removeOutputPublisher", async (stage) => {
    const streamId = await stage.stream();
    return stage.call(stage.scope, "removeOutputPublisher", { streamId, agentId: "ada" }, () => [
      ["output.publisher_removed", streamId, { agentId: "ada", ...BY_SCOPE }],
    ]);
  }),
  row(
    ["Output stream: open --> [*]: removeOutputStream", "Credential: enabled --> [*]: removeOutputStream"],
    async (stage) => {
      const streamId = await stage.stream();
      await stage.reader(streamId);
      return stage.call(stage.scope, "removeOutputStream", { streamId }, () => [
        ["output.stream_removed", streamId, BY_SCOPE],
      ]);
    },
  ),
];

const publications: readonly Row[] = [
  row("Publication: [*] --> enabled: publishAgentCard", async (stage) =>
    stage.call(stage.scope, "publishAgentCard", { agentId: "ben" }, ({ id }) => [
      ["a2a.publication_created", id, { agentId: "ben", enabled: "true", ...BY_SCOPE }],
    ]),
  ),
  row("Publication: enabled --> disabled: disableAgentCardPublication", async (stage) => {
    const publicationId = await stage.publication();
    return stage.call(stage.scope, "disableAgentCardPublication", { publicationId }, () => [
      ["a2a.publication_disabled", publicationId, { agentId: "ben", enabled: "false", ...BY_SCOPE }],
    ]);
  }),
  row("Publication: disabled --> enabled: enableAgentCardPublication", async (stage) => {
    const publicationId = await stage.publication();
    await stage.scope.call("disableAgentCardPublication", { publicationId });
    return stage.call(stage.scope, "enableAgentCardPublication", { publicationId }, () => [
      ["a2a.publication_enabled", publicationId, { agentId: "ben", enabled: "true", ...BY_SCOPE }],
    ]);
  }),
  row("Publication: enabled --> disabled: removeAgent", async (stage) => {
    const id = await stage.publication();
    return stage.call(stage.scope, "removeAgent", { agentId: "ben" }, () => [
      ["agent.removed", "ben", { executionId: stage.ben.executionId, ...BY_SCOPE }],
      ["a2a.publication_disabled", id, { agentId: "ben", enabled: "false", ...BY_SCOPE }],
    ]);
  }),
];

/** The same machine for both kinds of credentials. */
const KINDS = {
  Output: {
    resource: (stage: Stage) => stage.stream(),
    create: (stage: Stage, streamId: string) => stage.reader(streamId),
    input: (stage: Stage, streamId: string) => ({ streamId, label: stage.text(), permissions: ["read"] }),
    attributes: { resourceType: "outputStream", permissions: "read,publish" },
  },
  A2a: {
    resource: (stage: Stage) => stage.publication(),
    create: async (stage: Stage, publicationId: string) => (await stage.a2aClient(publicationId)).principalId,
    input: (stage: Stage, publicationId: string) => ({ publicationId, label: stage.text() }),
    attributes: { resourceType: "a2aPublication" },
  },
} as const;

const credentials: readonly Row[] = (["Output", "A2a"] as const).flatMap((kind) => {
  const { resource, create, input, attributes } = KINDS[kind];
  const issued = (stage: Stage, { credential }: { readonly credential: string }) => void stage.secret(credential);
  const disable = `disable${kind}Principal` as const;
  const enable = `enable${kind}Principal` as const;
  const rotate = `rotate${kind}Principal` as const;
  const begin = async (stage: Stage, enabled: boolean) => {
    const resourceId = await resource(stage);
    const principalId = await create(stage, resourceId);
    if (!enabled) await stage.scope.call(disable, { principalId });
    return { principalId, attributes: { ...attributes, resourceId, ...BY_SCOPE } };
  };
  return [
    row(`Credential: [*] --> enabled: create${kind}Principal`, async (stage) => {
      const resourceId = await resource(stage);
      const name = `create${kind}Principal` as "createA2aPrincipal";
      const expected = { ...attributes, ...(kind === "Output" ? { permissions: "read" } : {}) };
      return stage.call(stage.scope, name, input(stage, resourceId) as never, (result) => {
        issued(stage, result);
        return [["credential.created", result.principal.id, { ...expected, resourceId, enabled: "true", ...BY_SCOPE }]];
      });
    }),
    row(`Credential: enabled --> disabled: ${disable}`, async (stage) => {
      const { principalId, attributes: common } = await begin(stage, true);
      return stage.call(stage.scope, disable, { principalId }, () => [
        ["credential.disabled", principalId, { ...common, enabled: "false" }],
      ]);
    }),
    row(`Credential: disabled --> enabled: ${enable}`, async (stage) => {
      const { principalId, attributes: common } = await begin(stage, false);
      return stage.call(stage.scope, enable, { principalId }, () => [
        ["credential.enabled", principalId, { ...common, enabled: "true" }],
      ]);
    }),
    ...([true, false] as const).map((enabled) => {
      const state = enabled ? "enabled" : "disabled";
      return row(`Credential: ${state} --> ${state}: ${rotate}`, async (stage) => {
        const { principalId, attributes: common } = await begin(stage, enabled);
        return stage.call(stage.scope, rotate, { principalId }, (result) => {
          issued(stage, result);
          return [["credential.rotated", principalId, { ...common, enabled: String(enabled) }]];
        });
      });
    }),
  ];
});

const rotation = row("Credential: enabled --> disabled: rotateScopeToken", async (stage) => {
  await stage.reader(await stage.stream());
  await stage.a2aClient(await stage.publication());
  const { id: scopeId } = stage.scope;
  return stage.call(stage.admin, "rotateScopeToken", { scopeId }, ({ scopeToken }) => {
    stage.secret(scopeToken);
    return [["scope.credentials_rotated", scopeId, { executions: "retired", scopedCredentials: "disabled" }]];
  });
});

export const outsideRows: readonly Row[] = [...streams, ...publications, ...credentials, rotation];
