// The pictures that a model is given with a question, in their order and as large as there is room.
import { later } from "./calling.js";
import { make } from "../viewer/making.js";

const AGAIN_MS = 1500;
const NAMES = { rgb: "Scene", mask: "Mask", depth: "Depth" };

/** Columns that show pictures of a size largest in a room. */
const roomiest = (count, { width, height }, { wide, high }) => {
  const scale = (columns) => Math.min(wide / columns / width, high / Math.ceil(count / columns) / height);
  return Array.from({ length: count }, (_, k) => k + 1).reduce((best, one) => (scale(one) > scale(best) ? one : best), 1);
};

/** Pictures of a question; `ready()` is called when all of them are there. */
export const createGallery = (question, ready) => {
  const address = `/media/${encodeURIComponent(question.item_id)}/${question.protocol}/${question.modality}`;
  const count = question.pictures.length;
  const arrived = new Set();
  let large = null;
  const root = make("section", "gallery", { "aria-label": "Pictures" });

  const arrange = () => {
    const first = root.querySelector("img");
    if (!first?.naturalWidth) return;
    const size = { width: first.naturalWidth, height: first.naturalHeight };
    root.dataset.columns = large === null ? roomiest(count, size, { wide: root.clientWidth, high: root.clientHeight }) : 1;
  };
  const show = (k) => {
    large = k;
    figures.forEach((one, place) => {
      one.hidden = large !== null && place !== large;
      one.querySelector("button").setAttribute("aria-pressed", String(place === large));
    });
    arrange();
  };
  const figures = question.pictures.map((role, k) => {
    const name = NAMES[role] ?? role;
    const image = make("img", "", { alt: `Picture ${k + 1} of ${count}: ${name}`, "data-seen": k });
    image.addEventListener("load", () => {
      image.dataset.there = "";
      arrived.add(k);
      arrange();
      if (arrived.size === count) ready();
    });
    // A server that is away comes back.
    image.addEventListener("error", async () => {
      await later(AGAIN_MS);
      if (image.isConnected) image.src = `${address}/${k}`;
    });
    image.src = `${address}/${k}`;
    const button = make("button", "enlarge", { type: "button", "aria-pressed": "false", title: "Large, or all (V)", disabled: count === 1 ? "" : null }, image);
    button.addEventListener("click", (event) => {
      if (count > 1) show(large === null ? k : null);
      // After a hand, keys are for the question again.
      if (event.detail > 0) button.blur();
    });
    return make("figure", "shown", {}, button, make("figcaption", "", {}, make("b", "", {}, String(k + 1)), ` ${name}`));
  });
  root.append(...figures);
  const watching = new ResizeObserver(arrange);
  watching.observe(root);
  return {
    root,
    isReady: () => arrived.size === count,
    /** All, then each of them large, then all again. */
    turn: () => { if (count > 1) show(large === null ? 0 : large + 1 < count ? large + 1 : null); },
    destroy: () => watching.disconnect(),
  };
};
