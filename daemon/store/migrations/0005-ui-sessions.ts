/**
 * Browsers that use the user interface, and the codes with which they sign in. Only digests of secrets are kept. A code
 * stays for a while after it was used or ran out, so that whoever comes with it again can be told which.
 */
export const uiSessionsSchema = `
CREATE TABLE ui_sign_in_codes (
  code_hash TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX ui_sign_in_codes_age ON ui_sign_in_codes (expires_at);

CREATE TABLE ui_sessions (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  proof_hash TEXT NOT NULL UNIQUE,
  cookie_hash TEXT NOT NULL,
  user_agent TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;
`;
