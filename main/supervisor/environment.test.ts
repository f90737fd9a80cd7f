import { expect, it } from "vitest";
import { childEnvironment } from "./environment.ts";

it("hands on what the daemon needs, and neither credentials nor what would make another program of it", () => {
  const env = {
    PATH: "/usr/bin",
    AGENT_INTERCOM_DATA_DIR: "/data",
    AGENT_INTERCOM_PORT: "4766",
    AGENT_INTERCOM_ADMIN_TOKEN: "secret",
    AGENT_INTERCOM_SCOPE_TOKEN: "secret",
    AGENT_INTERCOM_AGENT_TOKEN: "secret",
    AGENT_INTERCOM_TOKEN: "secret",
    AGENT_INTERCOM_OUTPUT_CREDENTIAL: "secret",
    OCTOBER_BUS_SCOPE_TOKEN: "secret",
    NODE_OPTIONS: "--inspect",
    node_options: "--inspect",
    NODE_EXTRA_CA_CERTS: "/tmp/ca",
    ELECTRON_RUN_AS_NODE: "1",
    LD_PRELOAD: "/tmp/evil.so",
    LD_AUDIT: "/tmp/evil.so",
    DYLD_INSERT_LIBRARIES: "/tmp/evil.dylib",
    UNSET: undefined,
  };
  expect(childEnvironment(env)).toEqual({
    PATH: "/usr/bin",
    AGENT_INTERCOM_DATA_DIR: "/data",
    AGENT_INTERCOM_PORT: "4766",
  });
});
