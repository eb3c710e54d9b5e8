// Corrections of a question: another right answer, another sentence.
import { createAnswer } from "./controls.js";
import { make } from "../viewer/making.js";

const LONGEST_SENTENCE = 2000;

/** What the controls of an answer need to know of a task. */
const asked = (task) => ({
  format: task.answer.format,
  choices: task.options.map(({ label }) => ({ value: label, text: label })),
  axes: task.axes,
  // The form has these keys for doubts and verdicts.
  showKeys: false,
});

/** Controls that correct; `changed({ answer } or { wordings })` hears what is wanted. */
export const createCorrection = (task, question, changed) => {
  let state = { answer: null, wordings: {} };
  const answer = createAnswer(asked(task), (given) => changed({ answer: given }));
  const sentence = make("textarea", "", { rows: "3", maxlength: String(LONGEST_SENTENCE), "aria-label": "Wording", "data-wording": "" });
  const about = make("span", "soft");
  const back = make("button", "quiet", { type: "button" }, "Undo corrections");
  const summary = make("summary", "", { "data-correct": "" }, make("kbd", "", {}, "C"), "Correct it");
  const root = make("details", "correct", {}, summary,
    make("p", "soft", { "data-hint": "" }, "A correction goes along with “accept”."),
    make("div", "field", {}, make("span", "", {}, "Right answer"), answer.root),
    make("div", "field", {}, make("span", "", {}, "Wording ", about), sentence), back);
  sentence.addEventListener("input", () => {
    const { protocol, question: before } = question.wording();
    const wordings = { ...state.wordings, [protocol]: sentence.value };
    if (sentence.value === before) delete wordings[protocol];
    changed({ wordings });
  });
  back.addEventListener("click", () => changed({ answer: null, wordings: {} }));

  const show = (given = state) => {
    state = given;
    answer.show({ ...task.answer, ...(state.answer ?? {}) });
    const wording = question.wording();
    const now = state.wordings[wording.protocol] ?? wording.question;
    if (sentence.value !== now) sentence.value = now;
    about.textContent = `(${wording.name.toLowerCase()})`;
    question.showSentence(now);
    const isChanged = state.answer !== null || Object.keys(state.wordings).length > 0;
    if (isChanged) root.open = true;
    root.classList.toggle("is-changed", isChanged);
    back.hidden = !isChanged;
  };
  return {
    root, show,
    open: () => {
      root.open = !root.open;
      if (root.open) root.scrollIntoView({ block: "nearest" });
    },
  };
};
