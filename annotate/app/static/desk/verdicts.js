// What two reviewers said, side by side, for who settles it.
import { make } from "../viewer/making.js";

const spoken = (word) => word.replaceAll("_", " ");

const about = (task, verdict) => [
  ...(verdict.verdict === "accepted" ? [["Answer", verdict.answer_words ?? `${task.answer_words}, as it is`]] : []),
  ...Object.entries(verdict.wordings).map(([protocol, sentence]) => [`Wording, ${spoken(protocol)}`, sentence]),
  ...(verdict.doubts.length ? [["Doubts", verdict.doubts.map(spoken).join(", ")]] : []),
  ...(verdict.reason ? [["Reason", verdict.reason]] : []),
];

/** Cards of verdicts; `take(verdict)` hears whose is taken over. */
export const createVerdicts = (task, take) => make("section", "verdicts", { "data-verdicts": "" }, ...task.verdicts.map((verdict) => {
  const button = make("button", "quiet", { type: "button" }, "Take over");
  button.addEventListener("click", () => take(verdict));
  return make("article", `card verdict ${verdict.verdict}`, { "data-reviewer": verdict.reviewer },
    make("header", "card-head", {}, make("b", "", {}, verdict.reviewer), make("span", "chip", {}, verdict.verdict)),
    make("dl", "why", {}, ...about(task, verdict).flatMap(([name, text]) => [make("dt", "", {}, name), make("dd", "", {}, text)])), button);
}));
