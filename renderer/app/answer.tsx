import { AnswerWindow } from "../features/answer-window/answer-window.tsx";
import { desktopHost } from "../hosts/desktop.ts";
import { bridgeOf, show } from "./page.tsx";

// Only the desktop has this window; a browser tab has the inbox.
const bridge = bridgeOf(window);
if (bridge) show(desktopHost(bridge), <AnswerWindow />);
