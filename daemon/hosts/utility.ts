import { startDaemon } from "../daemon.ts";

const daemon = await startDaemon({ owner: "desktop" });
process.on("exit", () => void daemon.stop());
