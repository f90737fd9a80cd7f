import { Shell } from "../shell/shell.tsx";
import { showFake } from "./entry.tsx";

showFake(<Shell />);
