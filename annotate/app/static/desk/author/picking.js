// Which picture is worked on: all of them, by what became of them.
import { call } from "../calling.js";
import { make } from "../../viewer/making.js";

const SHOWN = 200;
const FILTERS = {
  all: ["All", () => true],
  fresh: ["Nobody has begun", (one) => !one.mine && !one.others],
  mine: ["Answered by you", (one) => one.mine > 0],
  others: ["Answered by others", (one) => one.others > 0],
  flagged: ["With open flags", (one) => one.flags > 0],
};
const told = (one) => [...(one.mine ? [`${one.mine} by you`] : []), ...(one.others ? [`${one.others} by others`] : []), ...(one.flags ? [`${one.flags} flagged`] : []), ...(one.held_by ? [`on ${one.held_by}'s desk`] : [])].join(" · ");

/** A sheet of pictures that is shown and hidden; `open(id)` hears which one is chosen. */
export const createPicking = ({ open, say }) => {
  const search = make("input", "", { type: "text", placeholder: "Part of a name", "aria-label": "Part of a name", "data-search": "" });
  const filter = make("select", "", { "aria-label": "Pictures by state", "data-picture-filter": "" }, ...Object.entries(FILTERS).map(([name, [title]]) => make("option", "", { value: name }, title)));
  const count = make("span", "soft", {});
  const list = make("ol", "picks", {});
  const close = make("button", "plain", { type: "button" }, "Close");
  const root = make("div", "veil", { hidden: "", "data-picking": "" },
    make("div", "sheet wide-sheet", { role: "dialog", "aria-label": "Pictures" }, make("h2", "", {}, "Pictures"), make("div", "pick-bar", {}, search, filter, count), list, close));
  let pictures = [], from = null;

  const show = () => {
    const found = pictures.filter((one) => FILTERS[filter.value][1](one) && one.image_id.toLowerCase().includes(search.value.trim().toLowerCase()));
    count.textContent = `${found.length.toLocaleString("en")} of ${pictures.length.toLocaleString("en")}`;
    list.replaceChildren(...found.slice(0, SHOWN).map((one) => make("li", "", {}, make("button", "pick", { type: "button", "data-pick": one.image_id, disabled: one.held_by ? "" : null },
      make("img", "", { src: `/media/${encodeURIComponent(one.image_id)}/thumbnail`, alt: "", loading: "lazy" }), make("b", "", {}, one.image_id), make("span", "soft small", {}, told(one))))));
  };
  const hide = () => {
    const was = !root.hidden;
    root.hidden = true;
    from?.focus?.();
    return was;
  };
  for (const [one, kind] of [[search, "input"], [filter, "change"]]) one.addEventListener(kind, show);
  list.addEventListener("click", (event) => {
    const id = event.target.closest("[data-pick]")?.dataset.pick;
    if (!id) return;
    hide();
    open(id);
  });
  close.addEventListener("click", hide);
  root.addEventListener("click", (event) => { if (event.target === root) hide(); });
  root.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { hide(); event.preventDefault(); }
    event.stopPropagation();
  });
  return {
    root, hide,
    isShown: () => !root.hidden,
    show: async () => {
      try { ({ pictures } = await call("/api/author/pictures")); } catch (error) { say(error.message, "bad"); return; }
      from = root.getRootNode().activeElement;
      root.hidden = false;
      show();
      search.focus();
    },
  };
};
