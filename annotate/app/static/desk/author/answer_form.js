// The answer to a question: what geometry proposes, what the person says.
import { createAnswer, isWhole } from "../controls.js";
import { make } from "../../viewer/making.js";

const LONGEST_NOTE = 4000;
// The only answer that words go along with.
const DISTINCT = "other_side_distinct";
const spoken = (word) => word.replaceAll("_", " ");

const marginOf = ({ margin, margin_unit: unit }) => (margin === null ? "" : `${Number(margin.toPrecision(2))} ${spoken(unit)} from the nearest threshold`);

const proposalCard = (proposal, isProposed, take) => {
  if (!proposal) return [make("p", "soft small", { "data-proposal": "" }, isProposed ? "Only people can tell: nothing is proposed." : "Nothing is proposed yet: mira qa propose asks geometry.")];
  if (!proposal.answer) return [make("p", "proposal", { "data-proposal": "none" }, make("em", "tag soft", {}, "no proposal"), make("span", "", {}, proposal.reason))];
  const isClose = proposal.close_call;
  const button = make("button", "quiet", { type: "button", "data-take": "" }, make("kbd", "", {}, "P"), isClose ? "Fill in" : "Take it");
  button.addEventListener("click", take);
  const why = [proposal.reason, marginOf(proposal), ...proposal.warnings].filter(Boolean);
  return [make("div", `proposal${isClose ? " close" : ""}`, { "data-proposal": isClose ? "close" : "sure" },
    make("div", "proposal-head", {}, make("em", "tag", {}, isClose ? "close call" : "proposed"), make("b", "", {}, proposal.words), button),
    ...why.map((text) => make("p", "soft small", {}, text)))];
};

/** The form of a question; `isProposed` says whether geometry was asked of the picture; `on` has answer, note, save, take, takeBack, undo, redo. */
export const createAnswerForm = ({ axes, isProposed }, on) => {
  const proposed = make("div", "proposals", {}), holder = make("div", "control", {}), fault = make("p", "fault", { role: "alert", "data-fault": "" });
  const note = make("textarea", "", { rows: "1", maxlength: String(LONGEST_NOTE), placeholder: "A note on the answer (optional)", "aria-label": "Note", "data-note": "" });
  const button = (className, attributes, ...children) => make("button", className, { type: "button", ...attributes }, ...children);
  const save = button("main-button", { "data-save": "" }, "Save ", make("kbd", "", {}, "⏎"));
  const back = button("quiet", { "data-take-back": "" }, make("kbd", "", {}, "R"), "Take back");
  const undo = button("quiet", { "data-undo": "", title: "Undo (Ctrl-Z)", "aria-label": "Undo" }, "↶"), redo = button("quiet", { "data-redo": "", title: "Redo (Ctrl-Shift-Z)", "aria-label": "Redo" }, "↷");
  const said = make("p", "answer", { "data-mine": "" });
  const root = make("section", "card form answer-form", { hidden: "" }, proposed, said, holder, note, fault, make("div", "send", {}, make("span", "pair", {}, undo, redo), back, save));
  let question = null, control = null, format = "", now = null;

  for (const [one, act] of [[save, "save"], [back, "takeBack"], [undo, "undo"], [redo, "redo"]]) one.addEventListener("click", () => on[act]());
  note.addEventListener("input", () => on.note(note.value));
  note.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) on.save(); });
  holder.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || !event.target.matches("input[type=text], input[type=number]")) return;
    event.preventDefault();
    event.target.blur();
    on.save();
  });
  return {
    root,
    /** Shows a question with what is said of it and not saved yet; nothing with null. */
    show: (given, template, pending) => {
      root.hidden = given === null;
      if (given === null) { question = null; return; }
      if (given !== question) {
        question = given;
        ({ format } = template);
        const choices = given.choices.map((value) => ({ value, text: /^\d+$/.test(value) ? `instance ${value}` : spoken(value) }));
        control = createAnswer({ format, choices, axes, hasWords: (value) => value === DISTINCT }, (answer) => { now = answer; on.answer(answer); });
        holder.replaceChildren(control.root);
        fault.textContent = "";
      }
      proposed.replaceChildren(...proposalCard(given.proposal, isProposed, on.take));
      now = pending?.answer ?? given.mine?.answer ?? null;
      control.show(now);
      const text = pending?.note ?? given.mine?.note ?? "";
      if (note.value !== text) note.value = text;
      const isSaved = given.mine !== null;
      said.hidden = back.hidden = !isSaved;
      said.replaceChildren(make("em", "tag", {}, "your answer"), make("b", "", {}, given.mine?.words ?? ""));
    },
    showHistory: ([done, undone]) => { undo.disabled = done === 0; redo.disabled = undone === 0; },
    /** The answer as it stands in the control, if it says all that is asked. */
    whole: () => (isWhole(format, now, axes) ? now : null),
    say: (text) => { fault.textContent = text; },
    press: (key) => (question ? control.press(key) : false),
    focusNote: () => note.focus(),
  };
};
