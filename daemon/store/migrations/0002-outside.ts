/**
 * What reaches beyond a scope: streams of values, A2A publications, and the credentials of those outside.
 *
 * `principals` are holders of scoped credentials. As parties of messages they have the number `-1 - no`, so their numbers
 * must never be given out again.
 */
export const outsideSchema = `
ALTER TABLE scopes ADD COLUMN archive_digest TEXT;
ALTER TABLE scopes ADD COLUMN pruned_seq INTEGER NOT NULL DEFAULT 0;

CREATE TABLE principals (
  no INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  resource_no INTEGER NOT NULL,
  label TEXT NOT NULL,
  permissions TEXT NOT NULL,
  token_hash TEXT UNIQUE,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (scope_no, id)
) STRICT;
CREATE INDEX principals_resource ON principals (kind, resource_no);

CREATE TABLE output_streams (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  name TEXT NOT NULL,
  retention_limit INTEGER NOT NULL,
  sequence INTEGER NOT NULL DEFAULT 0,
  floor INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (scope_no, name)
) STRICT;

CREATE TABLE output_publishers (
  stream_no INTEGER NOT NULL REFERENCES output_streams(no) ON DELETE CASCADE,
  agent_no INTEGER NOT NULL REFERENCES agents(no) ON DELETE CASCADE,
  PRIMARY KEY (stream_no, agent_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX output_publishers_agent ON output_publishers (agent_no);

CREATE TABLE output_values (
  no INTEGER PRIMARY KEY,
  stream_no INTEGER NOT NULL REFERENCES output_streams(no) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  producer_type TEXT NOT NULL,
  producer_id TEXT NOT NULL,
  content_type TEXT NOT NULL,
  value TEXT NOT NULL,
  reference TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (stream_no, sequence)
) STRICT;

CREATE TABLE a2a_publications (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  agent_no INTEGER NOT NULL UNIQUE REFERENCES agents(no) ON DELETE CASCADE,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX a2a_publications_scope ON a2a_publications (scope_no);

CREATE TABLE a2a_tasks (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  context_id TEXT NOT NULL,
  publication_no INTEGER NOT NULL,
  principal_no INTEGER NOT NULL,
  agent_no INTEGER NOT NULL,
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (scope_no, id)
) STRICT;
CREATE INDEX a2a_tasks_unfinished ON a2a_tasks (principal_no)
  WHERE state NOT IN ('completed', 'failed', 'canceled', 'rejected');

CREATE TABLE a2a_messages (
  no INTEGER PRIMARY KEY,
  task_no INTEGER NOT NULL REFERENCES a2a_tasks(no) ON DELETE CASCADE,
  principal_no INTEGER NOT NULL,
  client_message_id TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  response_message_id TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (principal_no, client_message_id)
) STRICT;
CREATE INDEX a2a_messages_task ON a2a_messages (task_no);
CREATE INDEX messages_remote ON messages (scope_no)
  WHERE sender_no < -1 AND state IN ('queued', 'reserved', 'delivered');
`;
