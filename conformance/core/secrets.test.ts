import { expect, test } from "vitest";
import { Secrets } from "./secrets.ts";

test("takes every credential out, wherever it stands", () => {
  const secrets = new Secrets();
  secrets.add("token-of-the-admin");
  secrets.learn({
    ok: true,
    result: [{ agentToken: "token-of-the-agent", id: "agent-1" }, { credential: "cred_1.secret" }],
  });
  const report = {
    error: "Bearer token-of-the-admin was refused",
    got: [{ echo: "x=cred_1.secret&y", id: "agent-1", "token-of-the-agent": 1 }],
    request: null,
    tookMs: 3,
  };
  expect(secrets.clean(report)).toEqual({
    error: "Bearer [redacted] was refused",
    got: [{ echo: "x=[redacted]&y", id: "agent-1", "[redacted]": 1 }],
    request: null,
    tookMs: 3,
  });
});

test("knows a credential in JSON text and in a URL", () => {
  const secrets = new Secrets();
  secrets.add('odd "token" / here');
  expect(secrets.text(JSON.stringify({ token: 'odd "token" / here' }))).toBe('{"token":"[redacted]"}');
  expect(secrets.text(`?token=${encodeURIComponent('odd "token" / here')}`)).toBe("?token=[redacted]");
});

test("leaves words alone that are too short to be credentials", () => {
  const secrets = new Secrets();
  secrets.add("");
  secrets.add("ready");
  expect(secrets.text("ready or not")).toBe("ready or not");
});
