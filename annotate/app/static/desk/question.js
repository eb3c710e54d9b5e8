// A question as it is asked, with what is held for right and why.
import { make } from "../viewer/making.js";

const LIKED = "visual_bbox";
const KEPT = "mira protocol";

const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };

/** Words of an option: what the sentence says, or what it means. */
const textOf = (task, wording, k) => wording.option_texts[k] ?? task.options[k].value.replaceAll("_", " ");

/** An option as it is read, with what it stands for; the right one is told. */
export const optionRow = (task, wording, option, k) => {
  const isRight = task.answer.value === option.label;
  const text = textOf(task, wording, k);
  const mark = task.marks.find((one) => one.label === option.label);
  return make("li", `option${isRight ? " right" : ""}`, { "data-option": option.label },
    make("b", "label", {}, text.toLowerCase() === option.label.toLowerCase() ? (isRight ? "✓" : "·") : option.label),
    make("span", "", {}, text),
    ...(mark ? [make("i", "soft", {}, `instance ${mark.instance_id}`)] : []),
    ...(isRight ? [make("em", "tag", {}, "answer")] : []));
};

const answerRow = (task) => make("p", "answer", { "data-answer": "" }, make("em", "tag", {}, "answer"), make("b", "", {}, task.answer_words));

/** Draws a question; `changed(protocol)` hears which way of asking is looked at. */
export const createQuestion = (task, changed) => {
  const select = make("select", "", { "aria-label": "Way of pointing", "data-protocol": "" },
    ...task.wordings.map((one) => make("option", "", { value: one.protocol }, one.name)));
  const words = make("p", "words", { "data-question": "" });
  const options = make("ol", "options", { "data-options": "" });
  const why = make("section", "card", {}, make("dl", "why", { "data-reasons": "" },
    ...task.reasons.flatMap(({ name, text }) => [make("dt", "", {}, name), make("dd", "", {}, text)])),
    make("p", "soft id", {}, `${task.item_id} · ${task.image_id}`));
  const root = make("section", "card question", {},
    make("header", "card-head", {}, make("span", "chip", {}, task.subtask), make("code", "soft", {}, task.template_id), select),
    words, options,
    ...(task.options.some((one) => one.label === task.answer.value) ? [] : [answerRow(task)]),
    ...(task.answer.text ? [make("p", "answer", {}, make("em", "tag", {}, "words"), make("b", "", {}, task.answer.text))] : []));

  const known = task.wordings.map((one) => one.protocol);
  select.value = [kept(), LIKED, known[0]].find((one) => known.includes(one)) ?? "";
  const wordingNow = () => task.wordings.find((one) => one.protocol === select.value);
  const show = (sentence = null) => {
    const wording = wordingNow();
    words.textContent = sentence ?? wording.question;
    words.classList.toggle("changed", sentence !== null && sentence !== wording.question);
    options.replaceChildren(...task.options.map((option, k) => optionRow(task, wording, option, k)));
  };
  select.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, select.value); } catch { /* for this question alone */ }
    show();
    changed(select.value);
  });
  show();
  return { root, why, wording: wordingNow, showSentence: show };
};
