import { AnswerWindow } from "../features/answer-window/answer-window.tsx";
import { showFake } from "./entry.tsx";

showFake(<AnswerWindow />);
