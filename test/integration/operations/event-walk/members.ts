import { emptyArchive } from "../../../support/fixtures.ts";
import { ANY_ID, BY_SCOPE, notice, type Row, row } from "./rows.ts";
import { type Act, type Expected, LEASE_MS, type Stage } from "./stage.ts";

const STARTING = { lifecycle: "starting", ready: "false" };

/** A fresh execution of an agent that is there already. */
function registeredAgain(
  stage: Stage,
  id: string,
  before: (more: Record<string, string>) => Expected[] = () => [],
): Act {
  const input = { id, displayName: stage.text(), notices: false, leaseMs: LEASE_MS };
  return stage.call(stage.scope, "registerAgent", input, ({ executionId, leaseExpiresAt, agentToken }) => {
    stage.secret(agentToken);
    return [...before(BY_SCOPE), ["agent.registered", id, { executionId, ...STARTING, leaseExpiresAt, ...BY_SCOPE }]];
  });
}

/**
 * Every way ben's execution can end, with what comes before and after the events of what it held.
 * @param held events of what it held; they carry the actor where there is one, and the cause where they tell it
 */
export function endings(
  machine: string,
  from: string,
  to: string,
  hold: (stage: Stage) => Promise<(cause: string, actor: Record<string, string>) => Expected[]>,
): Row[] {
  const name = (label: string) => `${machine}: ${from} --> ${to}: ${label}`;
  return [
    row(name("registerAgent"), async (stage) => {
      const held = await hold(stage);
      return registeredAgain(stage, "ben", (actor) => held("replaced", actor));
    }),
    row(name("retire"), async (stage) => {
      const held = await hold(stage);
      const { executionId } = stage.ben;
      return stage.call(stage.ben, "retire", {}, () => [
        ...held("retired", {}),
        ["agent.lifecycle_changed", "ben", { executionId, lifecycle: "offline", ready: "false", reason: "retired" }],
      ]);
    }),
    row(name("removeAgent"), async (stage) => {
      const held = await hold(stage);
      return stage.call(stage.scope, "removeAgent", { agentId: "ben" }, () => [
        ...held("removed", BY_SCOPE),
        ["agent.removed", "ben", { executionId: stage.ben.executionId, ...BY_SCOPE }],
      ]);
    }),
    row(name("rotateScopeToken"), async (stage) => {
      const held = await hold(stage);
      return stage.call(stage.admin, "rotateScopeToken", { scopeId: stage.scope.id }, ({ scopeToken }) => {
        stage.secret(scopeToken);
        return [...held("rotated", {}), rotated(stage)];
      });
    }),
    row(name("revokeConnector"), async (stage) => {
      const held = await hold(stage);
      const connectorId = await stage.connectorOfBen();
      const { executionId } = stage.ben;
      const offline = { executionId, lifecycle: "offline", ready: "false", reason: "revoked" };
      return stage.call(stage.scope, "revokeConnector", { connectorId }, () => [
        ...held("revoked", BY_SCOPE),
        ["agent.lifecycle_changed", "ben", { ...offline, ...BY_SCOPE }],
        ["connector.revoked", connectorId, { agentName: "ben", executions: "1", ...BY_SCOPE }],
      ]);
    }),
  ];
}

function rotated(stage: Stage): Expected {
  const attributes = { executions: "retired", scopedCredentials: "disabled" };
  return ["scope.credentials_rotated", stage.scope.id, attributes];
}

const scopes: readonly Row[] = [
  row("Scope: [*] --> live: createScope", async (stage) => {
    const id = `${stage.scope.id}-new`;
    return stage.call(stage.admin, "createScope", { id, linkPolicy: "open" }, ({ scopeToken }) => {
      stage.secret(scopeToken);
      return [["scope.created", id, { linkPolicy: "open" }]];
    });
  }),
  row("Scope: live --> live: updateScope", async (stage) =>
    stage.call(stage.scope, "updateScope", { linkPolicy: "open" }, () => [
      ["scope.policy_changed", stage.scope.id, { linkPolicy: "open", ...BY_SCOPE }],
    ]),
  ),
  row(
    "Scope: live --> live: updateScope",
    async (stage) => ({
      ...stage.call(stage.admin, "updateScope", { linkPolicy: "open" }, () => [
        ["scope.policy_changed", stage.scope.id, { linkPolicy: "open", actor: "owner" }],
      ]),
      credentials: { token: stage.intercom.adminToken, scopeId: stage.scope.id },
    }),
    "by the admin as owner",
  ),
  row("Scope: live --> live: rotateScopeToken", async (stage) =>
    stage.call(stage.admin, "rotateScopeToken", { scopeId: stage.scope.id }, ({ scopeToken }) => {
      stage.secret(scopeToken);
      return [rotated(stage)];
    }),
  ),
  {
    ...row("Scope: [*] --> live: importScope", async (stage) => {
      const archive = emptyArchive(`${stage.scope.id}-imported`);
      const agent = { id: "old", displayName: stage.text(), capabilities: [] };
      const at = { registeredAt: archive.exportedAt, updatedAt: archive.exportedAt };
      return stage.call(stage.admin, "importScope", { ...archive, agents: [{ ...agent, ...at }] }, ({ scopeToken }) => {
        stage.secret(scopeToken as string);
        return [["scope.imported", ANY_ID, { archiveVersion: "2" }]];
      });
    }),
    // It works in a thread of its own, which nothing here reaches.
    faults: ["trigger"],
  },
  row("Scope: live --> live: pruneScope", async (stage) => {
    await stage.ben.call("acknowledgeMessages", { messageIds: [await stage.delivered()] });
    const taskId = await stage.claimed();
    await stage.ben.call("completeTask", { taskId, note: stage.text() });
    await stage.ada.call("cancelEscalation", { escalationId: await stage.question(), reason: stage.text() });
    const events = String(await stage.scope.revision());
    await stage.intercom.advance(60_000);
    const before = stage.intercom.clock.instant(-1);
    return stage.call(stage.scope, "pruneScope", { before, execute: true }, () => [
      ["scope.pruned", stage.scope.id, { before, messages: "1", tasks: "1", escalations: "1", events, ...BY_SCOPE }],
    ]);
  }),
  row("Scope: live --> [*]: deleteScope", async (stage) => {
    const scopeId = stage.scope.id;
    return stage.call(stage.admin, "deleteScope", { scopeId, confirmScopeId: scopeId }, () => [
      ["scope.deleted", scopeId, {}],
    ]);
  }),
];

const executions: readonly Row[] = [
  row("Execution: [*] --> current: registerAgent", async (stage) => {
    const input = {
      id: "eve",
      displayName: stage.text(),
      summary: stage.text(),
      metadata: { cwd: stage.text() },
      leaseMs: LEASE_MS,
    };
    return stage.call(stage.scope, "registerAgent", input, ({ executionId, leaseExpiresAt, agentToken }) => {
      stage.secret(agentToken);
      return [["agent.registered", "eve", { executionId, ...STARTING, leaseExpiresAt, ...BY_SCOPE }]];
    });
  }),
  row("Execution: current --> current: heartbeat", async (stage) => {
    const leaseExpiresAt = stage.intercom.clock.instant(LEASE_MS);
    const { executionId } = stage.ada;
    const input = { lifecycle: "working", ready: true, leaseMs: LEASE_MS, summary: stage.text() } as const;
    return stage.call(stage.ada, "heartbeat", input, () => [
      ["agent.lifecycle_changed", "ada", { executionId, lifecycle: "working", ready: "true", leaseExpiresAt }],
    ]);
  }),
  {
    ...row("Execution: current --> current: heartbeat", async (stage) => {
      const input = { lifecycle: "idle", ready: false, leaseMs: LEASE_MS } as const;
      await stage.ada.call("heartbeat", input);
      return stage.call(stage.ada, "heartbeat", { ...input, summary: stage.text() }, () => []);
    }),
    what: "that renews the lease and nothing else",
    // There is no event that could break.
    faults: ["commit"],
  },
  row("Execution: current --> current: updateProfile", async (stage) => {
    const input = { displayName: stage.text(), summary: stage.text(), metadata: { model: stage.text() } };
    return stage.call(stage.ada, "updateProfile", input, () => [
      ["agent.profile_changed", "ada", { executionId: stage.ada.executionId }],
    ]);
  }),
  row("Execution: current --> replaced: registerAgent", async (stage) => registeredAgain(stage, "ada")),
  ...endings("Execution", "current", "", async () => () => []).flatMap((each) => {
    const states: Record<string, string> = {
      retire: "retired",
      removeAgent: "removed",
      rotateScopeToken: "rotated",
      revokeConnector: "revoked",
    };
    const label = each.transitions[0]?.split(": ").at(-1) ?? "";
    const to = states[label];
    return to === undefined ? [] : [{ ...each, transitions: [`Execution: current --> ${to}: ${label}`] }];
  }),
  row("Execution: current --> expired: time", async (stage) => {
    const { executionId } = await stage.agent("brief", { leaseMs: 30_000 });
    return stage.passes(30_000, () => [["agent.lease_expired", "brief", { executionId }]]);
  }),
];

const connectors: readonly Row[] = [
  row("Connector: [*] --> enabled: createConnector", async (stage) => {
    const input = { name: stage.text(), agentName: "claude", toolSet: "bus" as const };
    return stage.call(stage.scope, "createConnector", input, ({ connector, credential }) => {
      stage.secret(credential);
      return [["connector.created", connector.id, { agentName: "claude", toolSet: "bus", ...BY_SCOPE }]];
    });
  }),
  ...(["enabled", "disabled"] as const).flatMap((state) => {
    const prepare = async (stage: Stage) => {
      const { id } = await stage.connector();
      if (state === "disabled") await stage.admin.call("rotateScopeToken", { scopeId: stage.scope.id });
      // Its own token is good for nothing any more then.
      const credentials = { token: stage.intercom.adminToken, scopeId: stage.scope.id };
      return { id, credentials };
    };
    const byOwner = { agentName: "claude", actor: "owner" };
    return [
      row(`Connector: ${state} --> enabled: rotateConnector`, async (stage) => {
        const { id, credentials } = await prepare(stage);
        const act = stage.call(stage.admin, "rotateConnector", { connectorId: id }, ({ credential }) => {
          stage.secret(credential);
          return [["connector.rotated", id, { toolSet: "team", ...byOwner }]];
        });
        return { ...act, credentials };
      }),
      row(`Connector: ${state} --> [*]: revokeConnector`, async (stage) => {
        const { id, credentials } = await prepare(stage);
        const act = stage.call(stage.admin, "revokeConnector", { connectorId: id }, () => [
          ["connector.revoked", id, { executions: "0", ...byOwner }],
        ]);
        return { ...act, credentials };
      }),
    ];
  }),
  row("Connector: enabled --> disabled: rotateScopeToken", async (stage) => {
    await stage.connector();
    return stage.call(stage.admin, "rotateScopeToken", { scopeId: stage.scope.id }, ({ scopeToken }) => {
      stage.secret(scopeToken);
      return [rotated(stage)];
    });
  }),
  row("Execution: [*] --> current: connect", async (stage) => {
    const { id, holder } = await stage.connector();
    const input = { session: stage.text(), displayName: stage.text(), metadata: { cwd: stage.text() } };
    return stage.call(holder, "connect", input, ({ executionId, leaseExpiresAt, agentToken }) => {
      stage.secret(agentToken);
      return [["agent.registered", "claude", { executionId, ...STARTING, leaseExpiresAt, connectorId: id }]];
    });
  }),
  {
    ...row("Execution: current --> current: connect", async (stage) => {
      const { holder } = await stage.connector();
      const session = stage.text();
      stage.secret((await holder.call("connect", { session })).agentToken);
      return stage.call(holder, "connect", { session }, ({ agentToken }) => {
        stage.secret(agentToken);
        return [];
      });
    }),
    // There is no event that could break.
    faults: ["commit"],
  },
];

const linked = (left: string, right: string, more = {}): Expected[] => [
  ["link.created", `${left}:${right}`, { leftAgent: left, rightAgent: right, ...BY_SCOPE, ...more }],
];

const links: readonly Row[] = [
  row("Link: [*] --> linked: linkAgents", async (stage) => {
    await stage.agent("cleo");
    return stage.call(stage.scope, "linkAgents", { left: "cleo", right: "ada" }, () => linked("ada", "cleo"));
  }),
  row("Link: [*] --> linked: registerAgent", async (stage) => {
    const input = { id: "dora", displayName: stage.text(), connectTo: ["ada", "ben"], leaseMs: LEASE_MS };
    return stage.call(stage.scope, "registerAgent", input, ({ executionId, leaseExpiresAt, agentToken }) => {
      stage.secret(agentToken);
      return [
        ["agent.registered", "dora", { executionId, ...STARTING, leaseExpiresAt, ...BY_SCOPE }],
        ...linked("ada", "dora"),
        ...linked("ben", "dora"),
      ];
    });
  }),
  row("Link: linked --> [*]: unlinkAgents", async (stage) =>
    stage.call(stage.scope, "unlinkAgents", { left: "ben", right: "ada" }, () => [
      ["link.removed", "ada:ben", { leftAgent: "ada", rightAgent: "ben", ...BY_SCOPE }],
    ]),
  ),
  row("Link request: [*] --> pending: requestLink", async (stage) => {
    await stage.agent("cleo");
    return stage.call(stage.ada, "requestLink", { to: "cleo", reason: stage.text() }, ({ id }) => [
      ["link.requested", id, { from: "ada", to: "cleo", status: "pending" }],
    ]);
  }),
  ...([true, false] as const).map((accept) => {
    const status = accept ? "accepted" : "declined";
    const transitions = [
      `Link request: pending --> ${status}: resolveLinkRequest`,
      "Delivery: [*] --> queued: notice",
      ...(accept ? ["Link: [*] --> linked: resolveLinkRequest"] : []),
    ];
    return row(transitions, async (stage) => {
      const cleo = await stage.agent("cleo", { notices: true });
      const { id } = await cleo.call("requestLink", { to: "ada", reason: stage.text() });
      return stage.call(stage.scope, "resolveLinkRequest", { linkRequestId: id, accept }, () => [
        ["link.request_resolved", id, { from: "cleo", to: "ada", status, ...BY_SCOPE }],
        ...(accept ? linked("ada", "cleo") : []),
        notice("cleo", BY_SCOPE),
      ]);
    });
  }),
];

export const memberRows: readonly Row[] = [...scopes, ...executions, ...connectors, ...links];
