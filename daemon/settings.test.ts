import { describe, expect, it } from "vitest";
import { DEFAULT_PORT, LIMITS } from "../protocol/index.ts";
import { resolveSettings } from "./settings.ts";

describe("resolveSettings", () => {
  it("has a default for everything but the listener for October Bus", () => {
    expect(resolveSettings({}, {}, {})).toEqual({
      port: DEFAULT_PORT,
      octoberBusPort: undefined,
      allowedOrigins: [],
      publicUrl: undefined,
      a2aMessageLimit: LIMITS.a2aMessagesPerPrincipal,
      a2aByteLimit: LIMITS.a2aBytesPerPrincipal,
    });
  });

  it("takes what is said at the start before the environment before the settings file", () => {
    const env = { AGENT_INTERCOM_PORT: "2000", AGENT_INTERCOM_OCTOBER_BUS_PORT: "2001" };
    const file = { port: 3000, octoberBusPort: 3001 };
    const ports = (...args: Parameters<typeof resolveSettings>) => {
      const { port, octoberBusPort } = resolveSettings(...args);
      return [port, octoberBusPort];
    };
    expect(ports({ port: 1000, octoberBusPort: 0 }, env, file)).toEqual([1000, 0]);
    expect(ports({ port: undefined }, env, file)).toEqual([2000, 2001]);
    expect(ports({}, { AGENT_INTERCOM_PORT: "", AGENT_INTERCOM_OCTOBER_BUS_PORT: "" }, file)).toEqual([3000, 3001]);
    expect(ports({ port: 0 }, {}, {})).toEqual([0, undefined]);
  });

  it("takes what is said at the start before the settings file where the environment has no say", () => {
    const file = {
      allowedOrigins: ["https://file.example"],
      publicUrl: "https://file.example",
      a2a: { messagesPerPrincipal: 7, bytesPerPrincipal: 8 },
    };
    expect(resolveSettings({}, {}, file)).toMatchObject({
      allowedOrigins: ["https://file.example"],
      publicUrl: "https://file.example",
      a2aMessageLimit: 7,
      a2aByteLimit: 8,
    });
    const given = { allowedOrigins: [], publicUrl: "https://here.example", a2aMessageLimit: 1, a2aByteLimit: 2 };
    expect(resolveSettings(given, {}, file)).toMatchObject(given);
  });

  it.each(["x", "65536", "-1", "1.5", " 1"])("refuses %j as a port of the environment", (value) => {
    for (const name of ["AGENT_INTERCOM_PORT", "AGENT_INTERCOM_OCTOBER_BUS_PORT"]) {
      expect(() => resolveSettings({}, { [name]: value }, {})).toThrow(
        `${name}: expected a whole number from 0 to 65535`,
      );
    }
  });

  it("refuses one port for both listeners, but not two free ones", () => {
    expect(() => resolveSettings({}, {}, { octoberBusPort: DEFAULT_PORT })).toThrow("octoberBusPort: expected another");
    expect(resolveSettings({ port: 0, octoberBusPort: 0 }, {}, {})).toMatchObject({ port: 0, octoberBusPort: 0 });
  });
});
