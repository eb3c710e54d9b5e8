// Above the panels: slots, what is shown, zoom. Below: what outlines mean, and news.
import { draw, make } from "./making.js";

const LAYOUTS = {
  "side-by-side": ["Side by side", "M2 4h5.5v8H2zM8.5 4H14v8H8.5z"],
  stacked: ["Stacked", "M3 2.5h10v5H3zM3 8.5h10v5H3z"],
  rgb: ["Colour only", "M2 3.5h12v9H2zM4 11l3-4 2.5 3 1.5-2 1.5 3z"],
  depth: ["Depth only", "M2 3.5h12v9H2zM2 10.5c3-3 5 1 7-1.5s3-2 5-1.5M2 7.5c3-2 5 .5 7-1"],
};
const TOGGLES = { outlines: ["Outlines", "Show the outlines of all regions"], labels: ["Labels", "Show the ids of all regions"] };
const HINTS = [["Alt-click", "next under the pointer"], ["07", "type an id"], ["Tab", "next slot"], ["Esc", "empty it"], [". ,", "walk through"], ["Home", "whole picture"]];

/** The names that `options.layout` may have. */
export const LAYOUT_NAMES = Object.keys(LAYOUTS);

const icon = (d) => draw("svg", "", { viewBox: "0 0 16 16", "aria-hidden": "true" }, draw("path", "", { d }));
const button = (className, attributes, ...children) => make("button", className, { type: "button", ...attributes }, ...children);

/** Toolbar and status line; the four functions hear what is pressed. */
export const createBar = ({ activate, setOption, zoom, fit }) => {
  const slots = make("div", "mv-slots", { role: "group", "aria-label": "Slots of the question" });
  const layouts = Object.entries(LAYOUTS).map(([name, [title, d]]) => button("mv-icon", { "data-layout": name, "aria-label": title, title }, icon(d)));
  const toggles = Object.entries(TOGGLES).map(([name, [title, long]]) => button("mv-toggle", { "data-toggle": name, title: long }, title));
  const told = button("mv-told", { title: "Show the whole picture (Home)", "aria-label": "Zoom, show the whole picture", "data-zoom": "fit" }, "100 %");
  const zooms = [button("mv-icon", { "aria-label": "Zoom out", title: "Zoom out (-)", "data-zoom": "out" }, "−"), told, button("mv-icon", { "aria-label": "Zoom in", title: "Zoom in (+)", "data-zoom": "in" }, "+")];
  const top = make(
    "div", "mv-bar", { role: "toolbar", "aria-label": "Picture viewer" }, slots,
    make("div", "mv-group", { role: "group", "aria-label": "Layout" }, ...layouts),
    make("div", "mv-group", { role: "group", "aria-label": "Shown" }, ...toggles),
    make("div", "mv-group", { role: "group", "aria-label": "Zoom" }, ...zooms),
  );
  const news = make("p", "mv-news", { role: "status" });
  const keys = ["direct", "reflected", "surface"].map((kind) =>
    make("span", `mv-key mv-${kind}`, {}, draw("svg", "", { viewBox: "0 0 26 10", "aria-hidden": "true" }, draw("path", "mv-line", { d: "M1 5H25" })), kind === "direct" ? "seen directly" : kind === "reflected" ? "reflected" : "surface"));
  const hints = make("p", "mv-hints", { "aria-hidden": "true" }, ...HINTS.map(([key, does]) => make("span", "", {}, make("kbd", "", {}, key), ` ${does}`)));
  const bottom = make("div", "mv-status", {}, make("p", "mv-keys", {}, ...keys), news, hints);

  top.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed) return;
    const { layout, toggle, zoom: wanted, slot } = pressed.dataset;
    if (layout) setOption("layout", layout);
    if (toggle) setOption(toggle, pressed.getAttribute("aria-pressed") !== "true");
    if (wanted) ({ in: () => zoom(1.25), out: () => zoom(0.8), fit })[wanted]();
    if (slot) activate(Number(slot));
  });

  return {
    top, bottom,
    say: (text) => { news.textContent = text; },
    showZoom: (value) => { told.textContent = `${Math.round(100 * value)} %`; },
    showOptions: (options) => {
      for (const one of layouts) one.setAttribute("aria-pressed", String(one.dataset.layout === options.layout));
      for (const one of toggles) one.setAttribute("aria-pressed", String(options[one.dataset.toggle]));
    },
    showSlots: (wanted) => {
      const { activeElement } = slots.getRootNode();
      const focused = activeElement && slots.contains(activeElement) ? activeElement.dataset.slot : null;
      slots.replaceChildren(...wanted.map(({ slot, instance_id: id, active }, k) =>
        button(
          `mv-slot${id === null ? "" : " mv-filled"}`,
          { "data-slot": k, "aria-pressed": String(active), "aria-label": `slot ${slot}, ${id === null ? "empty" : `instance ${id}`}` },
          make("b", "", {}, slot), make("span", "", {}, id === null ? "–" : String(id)),
        )));
      if (focused !== null) slots.children[focused]?.focus();
    },
  };
};
