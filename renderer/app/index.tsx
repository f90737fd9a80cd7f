import { desktopHost } from "../hosts/desktop.ts";
import { Shell } from "../shell/shell.tsx";
import { bridgeOf, show } from "./page.tsx";

const bridge = bridgeOf(window);
if (bridge) show(desktopHost(bridge), <Shell />);
