// A question as a model reads it, and the control that answers it.
import { createAnswer, isWhole } from "./controls.js";
import { make } from "../viewer/making.js";

const PLEASE = {
  count: "Write a number first.", spatial_3d_axes: "Choose a word in each row first.",
};

/** Draws a question; `send(answer)`, `skip()` and `change()` hear what is pressed. */
export const createAsked = (question, way, { send, skip, change }) => {
  let answer = {}, isBusy = false;
  // Where N is an answer, another key skips.
  const skipKey = question.format === "yes_no" ? "s" : "n";
  const fault = make("p", "fault", { role: "alert", "data-fault": "" });
  const control = createAnswer(question, (given) => { answer = given; fault.textContent = ""; });
  control.show(null);
  const submit = make("button", "main-button", { type: "button", "data-submit": "" }, "Send ", make("kbd", "", {}, "⏎"));
  const leave = make("button", "quiet", { type: "button", "data-skip": "" }, make("kbd", "", {}, skipKey.toUpperCase()), "Skip");
  const other = make("button", "quiet", { type: "button", "data-change": "" }, "Change");
  const root = make("div", "side", {},
    make("section", "card asked", {},
      make("header", "card-head", {}, make("span", "chip", { "data-way": "" }, way), other),
      ...question.legend.map((line) => make("p", "legend soft", { "data-legend": "" }, line)),
      make("p", "words", { "data-question": "" }, question.question)),
    make("section", "card replying", { "data-format": question.format }, control.root, fault, make("div", "send", {}, leave, submit)));

  const press = () => {
    if (isBusy) return;
    if (isWhole(question.format, answer, question.axes)) send(answer);
    else fault.textContent = PLEASE[question.format] ?? "Choose an answer first.";
  };
  submit.addEventListener("click", press);
  leave.addEventListener("click", () => { if (!isBusy) skip(); });
  other.addEventListener("click", () => { if (!isBusy) change(); });
  for (const field of root.querySelectorAll("input")) field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    press();
  });
  return {
    root,
    say: (text) => { fault.textContent = text; },
    /** While a reply is on its way, nothing of it changes. */
    setBusy: (value) => {
      isBusy = value;
      root.toggleAttribute("aria-busy", value);
      for (const one of root.querySelectorAll("button, input")) one.disabled = value;
    },
    /** Whether a key was for it. */
    press: (key, from) => {
      // A button that has the focus is pressed by Enter itself.
      if (key === "Enter" && from.matches?.("button, a")) return false;
      if (key === "Enter") { press(); return true; }
      const wanted = key.length === 1 ? key.toLowerCase() : key;
      if (wanted === skipKey) { leave.click(); return true; }
      return !isBusy && control.press(wanted);
    },
  };
};
