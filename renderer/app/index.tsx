import "./no-eval.ts";
import { desktopHost } from "../hosts/desktop.ts";
import { Shell } from "../shell/shell.tsx";
import { bridgeOf, show } from "./page.tsx";

const bridge = bridgeOf(window);
if (bridge) show(desktopHost(bridge), <Shell />);
else {
  // Loaded by those only who need it: the desktop has no use for a client of the daemon.
  const { openInBrowser } = await import("../hosts/browser/index.ts");
  openInBrowser((host) => show(host, <Shell />));
}
