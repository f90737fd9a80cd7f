import { productVersion } from "../../daemon/runtime/process-info.ts";
import { PROTOCOL_VERSION } from "../../protocol/version.ts";
import { examples, type Register } from "../command.ts";

export const register: Register = (command, invocation) => {
  examples(command, [["version"], ["version --json"]]).action(() => {
    const version = productVersion();
    invocation().out.result(
      { version, protocolVersion: PROTOCOL_VERSION, node: process.versions.node },
      () => `agent-intercom ${version} (protocol ${PROTOCOL_VERSION}, Node ${process.versions.node})`,
    );
  });
};
