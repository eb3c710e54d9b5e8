// All that may be asked of a picture, by what became of it.
import { FILTERS, aboutOf } from "./sheet.js";
import { make } from "../../viewer/making.js";

const SHOWN = 300;
const stateOf = (one) => (one.mine ? "mine" : one.proposal?.answer ? (one.proposal.close_call ? "close" : "sure") : "bare");
const MARKS = { mine: "✓", close: "≈", sure: "◇", bare: "·" };
const TOLD = { mine: "answered by you", close: "a close call", sure: "proposed", bare: "without a proposal" };

const row = (one, isNow, isUnsaved) => make("li", "", {}, make("button", `ask ${stateOf(one)}`, { type: "button", "data-ask": one.item_id, "aria-current": isNow ? "true" : null, title: TOLD[stateOf(one)] },
  make("span", "ask-mark", { "aria-hidden": "true" }, isUnsaved ? "✎" : MARKS[stateOf(one)]), make("code", "", {}, one.template_id), make("span", "", {}, aboutOf(one)),
  make("i", "soft", {}, one.mine?.words ?? one.proposal?.words ?? ""), ...(one.others ? [make("span", "tag soft", { title: "others have answered it" }, "others")] : [])));

/** The list; `on` has filter, only and open. */
export const createList = (sheet, on) => {
  const filter = make("select", "", { "aria-label": "Questions by state", "data-filter": "" });
  const only = make("input", "", { type: "checkbox", "data-only": "" });
  const count = make("span", "soft", { "data-listed": "" });
  const list = make("ol", "ask-list", { "data-asks": "" });
  const root = make("section", "card asks-card", {}, make("header", "card-head", {}, make("kbd", "", {}, "L"), filter, make("label", "radio small", {}, only, "this kind"), count), list);
  filter.addEventListener("change", () => on.filter(filter.value));
  only.addEventListener("change", () => on.only(only.checked));
  list.addEventListener("click", (event) => {
    const id = event.target.closest("[data-ask]")?.dataset.ask;
    if (id) on.open(id);
  });
  return {
    root,
    focus: () => filter.focus(),
    show: (work) => {
      filter.replaceChildren(...Object.entries(FILTERS).map(([name, [title]]) => make("option", "", { value: name }, `${title} (${sheet.listed(name, work.only ? work.template_id : null).length})`)));
      filter.value = work.filter;
      only.checked = work.only;
      const found = sheet.listed(work.filter, work.only ? work.template_id : null);
      list.replaceChildren(...found.slice(0, SHOWN).map((one) => row(one, one.item_id === work.item_id, one.item_id in work.pending)));
      count.textContent = found.length > SHOWN ? `${SHOWN} of ${found.length}` : "";
      // Within the list alone: the page stays where it is.
      const at = list.querySelector("[aria-current]");
      if (at) list.scrollTop = Math.max(0, at.offsetTop - list.clientHeight / 2);
    },
  };
};
