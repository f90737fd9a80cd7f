import { hash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { contentSecurityPolicy } from "./headers.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 36rem; margin: 15vh auto; padding: 0 1.5rem; }
code { font-family: ui-monospace, monospace; padding: 0.1em 0.35em; border-radius: 4px; background: #8883; }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Agent Intercom</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>The user interface is not built</h1>
<p>The daemon is running, but the files of its user interface are not there.</p>
<p>In a checkout build them with <code>npm run build</code>, then load this page again. An installed package brings them
along: install it again.</p>
<p>Until then everything can be done on the command line: <code>agent-intercom status</code>, <code>agent-intercom
escalations</code>, <code>agent-intercom inbox</code>.</p>
</main>
</body>
</html>
`;

/** The one style this page has, by its content. */
const POLICY = contentSecurityPolicy(`'sha256-${hash("sha256", STYLE, "base64")}'`);

/** Says what to do where there is no user interface to serve. */
export function serveMissingPage(request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(503, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Length": Buffer.byteLength(PAGE),
    "Content-Security-Policy": POLICY,
    "Cache-Control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : PAGE);
}
