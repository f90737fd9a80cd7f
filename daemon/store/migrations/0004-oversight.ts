/**
 * What the human who owns a scope needs to work with its questions, its conversations and its history.
 *
 * `answer_message_id` names the message that brings an answer, so that both can be taken back together. Of answers from
 * before, it is known when they were read where the agent took them out of its inbox.
 */
export const oversightSchema = `
ALTER TABLE escalations ADD COLUMN deferred_until INTEGER;
ALTER TABLE escalations ADD COLUMN answer_read_at INTEGER;
ALTER TABLE escalations ADD COLUMN answer_message_id TEXT;
UPDATE escalations SET answer_message_id = m.id, answer_read_at = m.delivered_at
  FROM (SELECT id, scope_no, delivered_at, json_extract(about, '$.id') AS subject FROM messages
         WHERE sender_no = 0 AND about IS NOT NULL) AS m
 WHERE m.scope_no = escalations.scope_no AND m.subject = escalations.id AND escalations.status = 'resolved';
CREATE INDEX escalations_history ON escalations (scope_no, no, status, agent_no) WHERE status <> 'pending';

CREATE TABLE escalation_notices (
  escalation_no INTEGER NOT NULL REFERENCES escalations(no) ON DELETE CASCADE,
  surface TEXT NOT NULL,
  verdict TEXT NOT NULL,
  PRIMARY KEY (escalation_no, surface, verdict)
) STRICT, WITHOUT ROWID;

CREATE INDEX events_subject ON events (scope_no, subject_id, revision);
`;
