// Corrections of a question: another right answer, another sentence.
import { make } from "../viewer/making.js";

const LONGEST_SENTENCE = 2000;
const spoken = (word) => word.replaceAll("_", " ");

const radios = (name, values, told) => {
  const made = values.map((value) => {
    const input = make("input", "", { type: "radio", name, value });
    input.addEventListener("change", () => told(value));
    return [input, make("label", "radio", {}, input, spoken(value))];
  });
  return {
    root: make("div", "radios", { role: "radiogroup", "aria-label": name }, ...made.map(([, label]) => label)),
    show: (value) => { for (const [input] of made) input.checked = input.value === value; },
  };
};

// For each format the control that gives an answer of it, without its `format`.
const count = (task, told) => {
  const input = make("input", "number", { type: "number", min: "0", step: "1", "aria-label": "Number", "data-count": "" });
  let now = "";
  input.addEventListener("input", () => { if (/^\d+$/.test(input.value)) told({ value: Number(input.value) }); });
  // What is no number is not kept, and so not shown.
  input.addEventListener("change", () => { input.value = now; });
  return {
    root: input,
    show: (answer) => {
      now = String(answer.value);
      if (input.value !== now) input.value = now;
    },
  };
};
const axes = (task, told) => {
  let now = {};
  const rows = Object.entries(task.axes).map(([axis, words]) => [axis, radios(axis, words, (word) => told({ ...now, [axis]: word }))]);
  return {
    root: make("div", "axes", {}, ...rows.flatMap(([axis, group]) => [make("span", "soft", {}, axis), group.root])),
    show: (answer) => {
      now = Object.fromEntries(rows.map(([axis]) => [axis, answer[axis]]));
      for (const [axis, group] of rows) group.show(answer[axis]);
    },
  };
};
const choice = (task, told) => {
  const isYesNo = task.answer.format === "yes_no", hasText = task.answer.format === "single_choice_plus_text";
  const labels = isYesNo ? ["yes", "no"] : task.options.map((one) => one.label);
  let now = {};
  const group = radios("right answer", labels, (value) => told({ ...now, value }));
  const text = make("input", "", { type: "text", maxlength: "500", placeholder: "What the mirror adds", "aria-label": "Words of the answer" });
  text.addEventListener("input", () => told({ ...now, text: text.value || null }));
  return {
    root: make("div", "", {}, group.root, ...(hasText ? [text] : [])),
    show: (answer) => {
      now = hasText ? { value: answer.value, text: answer.text ?? null } : { value: answer.value };
      group.show(answer.value);
      if (hasText && text.value !== (answer.text ?? "")) text.value = answer.text ?? "";
    },
  };
};
const CONTROLS = { count, spatial_3d_axes: axes };

/** Controls that correct; `changed({ answer } or { wordings })` hears what is wanted. */
export const createCorrection = (task, question, changed) => {
  let state = { answer: null, wordings: {} };
  const answer = (CONTROLS[task.answer.format] ?? choice)(task, (given) => changed({ answer: given }));
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
