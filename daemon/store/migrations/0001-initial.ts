/**
 * Every table and index of the first schema.
 *
 * Rows refer to each other by integer `no`/`seq`, which keeps indexes small; the ids of the protocol are looked up once.
 * `conversation` is a pair of parties, the lower number on the left; 0 is the human and -1 the daemon itself. A link is
 * a conversation with `linked_at`. Instants are ms since the epoch. List columns that grow carry an index each query uses.
 */
export const initialSchema = `
CREATE TABLE scopes (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  token_hash TEXT NOT NULL UNIQUE,
  link_policy TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0,
  event_floor INTEGER NOT NULL DEFAULT 0,
  active_messages INTEGER NOT NULL DEFAULT 0,
  unfinished_tasks INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE agents (
  no INTEGER PRIMARY KEY,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  id TEXT NOT NULL,
  display_name TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  summary TEXT,
  metadata TEXT,
  notices INTEGER NOT NULL,
  lifecycle TEXT NOT NULL,
  ready INTEGER NOT NULL,
  execution_no INTEGER,
  registered_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  removed_at INTEGER,
  UNIQUE (scope_no, id)
) STRICT;

CREATE TABLE executions (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_no INTEGER NOT NULL REFERENCES agents(no) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  lease_expires_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  end_reason TEXT
) STRICT;
CREATE INDEX executions_agent ON executions (agent_no);
CREATE INDEX executions_lease ON executions (lease_expires_at) WHERE ended_at IS NULL;

CREATE TABLE conversations (
  no INTEGER PRIMARY KEY,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  left_no INTEGER NOT NULL,
  right_no INTEGER NOT NULL,
  linked_at INTEGER,
  UNIQUE (left_no, right_no)
) STRICT;
CREATE INDEX conversations_right ON conversations (right_no);
CREATE INDEX conversations_linked ON conversations (scope_no, no) WHERE linked_at IS NOT NULL;
CREATE INDEX conversations_scope ON conversations (scope_no);

CREATE TABLE link_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  from_no INTEGER NOT NULL,
  to_no INTEGER NOT NULL,
  reason TEXT,
  status TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  resolved_at INTEGER,
  UNIQUE (scope_no, id)
) STRICT;
CREATE INDEX link_requests_status ON link_requests (scope_no, status, id);
CREATE INDEX link_requests_pending ON link_requests (from_no, to_no) WHERE status = 'pending';

CREATE TABLE reservations (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  agent_no INTEGER NOT NULL,
  execution_no INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  state TEXT NOT NULL
) STRICT;
CREATE INDEX reservations_open ON reservations (expires_at, execution_no) WHERE state = 'open';

CREATE TABLE messages (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  scope_no INTEGER NOT NULL,
  conversation_no INTEGER NOT NULL REFERENCES conversations(no) ON DELETE CASCADE,
  sender_no INTEGER NOT NULL,
  recipient_no INTEGER NOT NULL,
  mode TEXT NOT NULL,
  state TEXT NOT NULL,
  response_to TEXT,
  delivery_count INTEGER NOT NULL DEFAULT 0,
  reservation_no INTEGER,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  retry_at INTEGER,
  delivered_at INTEGER,
  acknowledged_at INTEGER,
  dead_lettered_at INTEGER,
  dead_letter_reason TEXT,
  replied_at INTEGER,
  response_message_id TEXT,
  idempotency_key TEXT,
  request_hash TEXT,
  about TEXT,
  body TEXT NOT NULL,
  context TEXT NOT NULL
) STRICT;
CREATE INDEX messages_conversation ON messages (conversation_no, seq);
CREATE INDEX messages_inbox ON messages (recipient_no, state, seq, sender_no)
  WHERE state IN ('queued', 'reserved', 'delivered');
CREATE INDEX messages_unanswered ON messages (recipient_no)
  WHERE mode = 'request' AND replied_at IS NULL AND state IN ('delivered', 'acknowledged');
CREATE INDEX messages_expiry ON messages (expires_at)
  WHERE expires_at IS NOT NULL AND state IN ('queued', 'reserved', 'delivered');
CREATE INDEX messages_retry ON messages (retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX messages_reservation ON messages (reservation_no) WHERE reservation_no IS NOT NULL;
CREATE INDEX messages_dead ON messages (scope_no, seq) WHERE state = 'dead_lettered';
CREATE INDEX messages_unread_human ON messages (scope_no) WHERE recipient_no = 0 AND state = 'delivered';
CREATE UNIQUE INDEX messages_idempotency ON messages (idempotency_key, scope_no, sender_no)
  WHERE idempotency_key IS NOT NULL;

CREATE TABLE tasks (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  title TEXT NOT NULL,
  description TEXT NOT NULL,
  status TEXT NOT NULL,
  priority INTEGER NOT NULL,
  requires TEXT NOT NULL,
  created_by_no INTEGER,
  claimed_by_no INTEGER,
  claimed_execution_no INTEGER,
  dependency_count INTEGER NOT NULL,
  blockers INTEGER NOT NULL,
  progress_count INTEGER NOT NULL DEFAULT 0,
  progress_bytes INTEGER NOT NULL DEFAULT 0,
  note TEXT,
  cancel_reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (scope_no, id)
) STRICT;
CREATE INDEX tasks_created ON tasks (scope_no, no);
CREATE INDEX tasks_status ON tasks (scope_no, status, id);
CREATE INDEX tasks_ready ON tasks (scope_no, priority DESC, no) WHERE status = 'open' AND blockers = 0;
CREATE INDEX tasks_claimed ON tasks (claimed_execution_no) WHERE status = 'claimed';

CREATE TABLE task_dependencies (
  task_no INTEGER NOT NULL REFERENCES tasks(no) ON DELETE CASCADE,
  dependency_no INTEGER NOT NULL REFERENCES tasks(no) ON DELETE CASCADE,
  PRIMARY KEY (task_no, dependency_no)
) STRICT, WITHOUT ROWID;
CREATE INDEX task_dependencies_reverse ON task_dependencies (dependency_no);

CREATE TABLE task_progress (
  task_no INTEGER NOT NULL REFERENCES tasks(no) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  agent_no INTEGER NOT NULL,
  execution_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (task_no, sequence)
) STRICT, WITHOUT ROWID;

CREATE TABLE escalations (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  agent_no INTEGER NOT NULL,
  kind TEXT NOT NULL,
  urgency TEXT NOT NULL,
  question TEXT NOT NULL,
  options TEXT NOT NULL,
  context TEXT NOT NULL,
  status TEXT NOT NULL,
  answer TEXT,
  resolved_by TEXT,
  surface TEXT,
  note TEXT,
  late INTEGER,
  cancel_reason TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  expired_at INTEGER,
  cancelled_at INTEGER,
  resolved_at INTEGER,
  UNIQUE (scope_no, id)
) STRICT;
CREATE INDEX escalations_status ON escalations (scope_no, status, id);
CREATE INDEX escalations_pending ON escalations (agent_no) WHERE status = 'pending';
CREATE INDEX escalations_expiry ON escalations (expires_at) WHERE status = 'pending' AND expires_at IS NOT NULL;

CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  scope_no INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  attributes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (scope_no, revision)
) STRICT;

CREATE TABLE idempotency (
  scope_no INTEGER NOT NULL REFERENCES scopes(no) ON DELETE CASCADE,
  actor_no INTEGER NOT NULL,
  key TEXT NOT NULL,
  operation TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  result TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope_no, actor_no, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_age ON idempotency (created_at);
`;
