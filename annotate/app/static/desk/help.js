// The sheet of keys of a page.
import { make } from "../viewer/making.js";

const AT_WORK = [
  ["V", "picture, both, or what a model sees"], ["Alt-click", "next under the pointer"], ["+ −", "zoom; the wheel too"], ["G", "how it is decided, with an example"], ["F", "flag: something has to be put right"],
  ["M", "comment"], ["Ctrl ⏎", "send the flag or comment"],
];
const EVERYWHERE = [["Esc", "leave a text field"], ["?", "this sheet"]];
const JUDGING = [
  ["A", "accept"], ["R", "reject"], ["1", "doubt: wording"], ["2", "doubt: answer"], ["3", "doubt: options"], ["4", "doubt: several are right"],
  ["C", "correct the answer or the wording"], ["W", "write the reason"], ["Enter", "send the verdict"], ["N", "skip"],
];
const AUTHORING = [
  ["P", "take the proposal; fill in a close call"], ["Enter", "save the answer"], ["Y N", "yes, no"], ["1 … 9", "a choice, or a number"],
  ["Q W E", "horizontal"], ["A S D", "vertical"], ["Z X C", "depth"], ["T", "words of the answer"], ["R", "take the answer back"],
  ["Ctrl Z", "undo; with Shift redo"], ["J", "next question"], ["K", "question before"], ["O", "kind of question"], ["L", "which questions are listed"],
  [".", "into the picture: ids, Tab"], ["I", "an instance in words"], ["]", "next picture"], ["[", "picture before"], ["/", "all pictures"],
];
const BASELINE = [
  ["1 … 9", "the option in that place, or a number"], ["Y N", "yes, no"], ["Q W E", "words of the first axis"], ["A S D", "of the second"],
  ["Z X C", "of the third"], ["T", "write the words"], ["Enter", "send the answer"], ["N", "skip (S where N is an answer)"], ["V", "one picture large, or all"],
];
const KEYS = { baseline: BASELINE, author: [...AUTHORING, ...AT_WORK], review: [...JUDGING, ...AT_WORK], adjudicate: [...JUDGING, ...AT_WORK] };

/** A sheet that is shown and hidden; `mode()` says whose keys it tells. */
export const createHelp = (mode) => {
  const close = make("button", "plain", { type: "button" }, "Close");
  const rows = make("div", "keys", {}), hint = make("p", "soft");
  const root = make("div", "veil", { hidden: "", "data-sheet": "" },
    make("div", "sheet", { role: "dialog", "aria-label": "Keys" }, make("h2", "", {}, "Keys"), rows,
      hint, close));
  const hide = () => {
    const was = !root.hidden;
    root.hidden = true;
    // Keys are for the question again.
    close.blur();
    return was;
  };
  close.addEventListener("click", hide);
  root.addEventListener("click", (event) => { if (event.target === root) hide(); });
  const show = () => {
    const told = [...(KEYS[mode()] ?? []), ...EVERYWHERE];
    rows.replaceChildren(...told.map(([key, does]) => make("div", "key-row", {}, make("kbd", "", {}, key), make("span", "", {}, does))));
    hint.textContent = `While a text field has the focus, keys write.${mode() === "baseline" ? "" : " While the picture has it, digits name instances there."}`;
    root.hidden = false;
    close.focus();
  };
  return { root, hide, isShown: () => !root.hidden, show };
};
