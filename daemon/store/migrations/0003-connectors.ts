/**
 * Connectors, each the credential of one configuration of an MCP client, and what the MCP door remembers over a restart.
 *
 * `connector_agents` says which agents have come from a connector: only those may be taken up again by one. A connector
 * that is revoked leaves them to any other, so their `connector_no` becomes NULL. `token_hash` is NULL while a connector
 * is disabled. `former_token_hash` is of the last token that a later connection of the same session has replaced.
 */
export const connectorsSchema = `
CREATE TABLE connectors (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  name TEXT NOT NULL,
  agent_name TEXT NOT NULL,
  tool_set TEXT NOT NULL,
  lease_ms INTEGER NOT NULL,
  token_hash TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_connected_at INTEGER,
  UNIQUE (scope_no, name)
) STRICT;

CREATE TABLE connector_agents (
  agent_no INTEGER PRIMARY KEY REFERENCES agents(no) ON DELETE CASCADE,
  connector_no INTEGER REFERENCES connectors(no) ON DELETE SET NULL,
  session_hash TEXT,
  former_token_hash TEXT UNIQUE,
  UNIQUE (connector_no, session_hash)
) STRICT;

CREATE TABLE daemon_secrets (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE ended_mcp_sessions (
  session_hash TEXT PRIMARY KEY,
  ended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX ended_mcp_sessions_age ON ended_mcp_sessions (ended_at);
`;
