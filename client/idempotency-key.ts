/**
 * A fresh idempotency key. It begins with the time, so that the daemon's index takes new keys at its end, where the last
 * ones went, instead of all over.
 */
export function newIdempotencyKey(): string {
  return `${Date.now().toString(36).padStart(9, "0")}-${crypto.randomUUID()}`;
}
