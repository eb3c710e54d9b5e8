// What is told beside the pointer.
import { make } from "./making.js";

const AWAY_PX = 16;

/** A small card that follows the pointer within the panels. */
export const createTip = () => {
  const id = make("b", "mv-tip-id"), title = make("span", "mv-tip-title");
  const head = make("p", "mv-tip-head", {}, id, title), body = make("div", "mv-tip-body");
  const depth = make("b"), pixel = make("span");
  const root = make("div", "mv-tip", { hidden: "", "aria-hidden": "true" }, head, body, make("p", "mv-tip-reading", {}, depth, pixel));
  return {
    root,
    hide: () => { root.hidden = true; },
    /** `about` is null over bare ground; `at` is in pixels of the element that holds the card, whose size is `room`. */
    show: ({ about, kind, depth: reading, pixel: [x, y], more }, at, room) => {
      root.hidden = false;
      root.className = `mv-tip mv-${kind ?? "ground"}`;
      head.hidden = !about;
      id.textContent = about ? String(about.id) : "";
      title.textContent = about?.title ?? "";
      const lines = about ? [...about.lines, ...(more > 0 ? [`${more} more here: Alt-click`] : [])] : [];
      body.replaceChildren(...lines.map((line) => make("p", "", {}, line)));
      depth.textContent = reading;
      pixel.textContent = `(${x}, ${y})`;
      const { offsetWidth: width, offsetHeight: height } = root;
      const left = at[0] + AWAY_PX + width > room.width ? at[0] - AWAY_PX - width : at[0] + AWAY_PX;
      const top = at[1] + AWAY_PX + height > room.height ? at[1] - AWAY_PX - height : at[1] + AWAY_PX;
      root.style.transform = `translate(${Math.max(2, left)}px, ${Math.max(2, top)}px)`;
    },
  };
};
