// The sheet of keys.
import { make } from "../viewer/making.js";

const KEYS = [
  ["A", "accept"], ["R", "reject"], ["1", "doubt: wording"], ["2", "doubt: answer"], ["3", "doubt: options"], ["4", "doubt: several are right"],
  ["C", "correct the answer or the wording"], ["W", "write the reason"], ["Esc", "leave a text field"], ["Enter", "send the verdict"], ["N", "skip"], ["V", "picture, or what a model sees"], ["?", "this sheet"],
];

/** A sheet that is shown and hidden. */
export const createHelp = () => {
  const close = make("button", "plain", { type: "button" }, "Close");
  const rows = KEYS.map(([key, does]) => make("div", "key-row", {}, make("kbd", "", {}, key), make("span", "", {}, does)));
  const root = make("div", "veil", { hidden: "", "data-sheet": "" },
    make("div", "sheet", { role: "dialog", "aria-label": "Keys" }, make("h2", "", {}, "Keys"), make("div", "keys", {}, ...rows),
      make("p", "soft", {}, "While a text field has the focus, keys write. While the picture has it, digits name instances there."), close));
  const hide = () => {
    const was = !root.hidden;
    root.hidden = true;
    // Keys are for the question again.
    close.blur();
    return was;
  };
  close.addEventListener("click", hide);
  root.addEventListener("click", (event) => { if (event.target === root) hide(); });
  return { root, hide, isShown: () => !root.hidden, show: () => { root.hidden = false; close.focus(); } };
};
