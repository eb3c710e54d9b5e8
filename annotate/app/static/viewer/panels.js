// The two panels: the colour picture and the depth map, with the same outlines and one view.
import { draw, make } from "./making.js";
import { createOutlines } from "./outlines.js";
import { placeTags } from "./tags.js";

const SHARP_FROM = 3; // screen pixels a pixel of the picture, from which on pixels show as squares

const createPanel = (name, title, picture) => {
  const svg = draw("svg", "mv-outlines");
  const cross = make("div", "mv-cross", { hidden: "" });
  const note = make("p", "mv-note", { hidden: "" });
  const root = make("div", `mv-panel mv-${name}-panel`, { "data-panel": name, role: "group", "aria-label": title }, picture, svg, cross, note);
  return { name, root, svg, picture, cross, note, outlines: createOutlines(svg) };
};

const createLegend = () => {
  const near = make("span"), far = make("span");
  const root = make("div", "mv-legend", { hidden: "" }, near, make("i", "mv-scale"), far, make("i", "mv-none"), make("span", "", {}, "no reading"));
  return { root, near, far };
};

/** Both panels. */
export const createPanels = () => {
  const image = make("img", "mv-picture", { alt: "", draggable: "false", decoding: "async" });
  const canvas = make("canvas", "mv-picture", { width: "1", height: "1" });
  const both = [createPanel("color", "colour picture", image), createPanel("depth", "depth map", canvas)];
  const legend = createLegend();
  both[1].root.append(legend.root);
  const root = make("div", "mv-panels", {}, ...both.map((one) => one.root));
  const isShown = (panel) => panel.root.clientWidth > 0;

  return {
    root, both, image, canvas,
    shown: () => both.find(isShown) ?? both[0],
    panelOf: (node) => both.find((one) => one.root.contains(node)) ?? null,
    say: (name, text) => {
      const { note } = both.find((one) => one.name === name);
      note.textContent = text;
      note.hidden = !text;
    },
    showLegend: (meaning, range) => {
      legend.root.hidden = !range;
      if (!range) return;
      const unit_m = meaning?.kind === "metric" ? meaning.unit_m : null;
      const ends = unit_m ? range.map((reading) => `${(reading * unit_m).toFixed(2)} m`) : ["near", "far"];
      legend.near.textContent = ends[0];
      legend.far.textContent = ends[1];
    },
    /** Lets a screen reader meet the instances once, in the first panel that is shown. */
    tellOnce: () => {
      const first = both.find(isShown);
      for (const one of both) one.svg.setAttribute("aria-hidden", String(one !== first));
    },
    place: (view, tags, lines) => {
      const [x, y] = view.toPanel([0, 0]), scale = view.scale();
      const placed = placeTags(tags, view);
      for (const panel of both) {
        const { picture } = panel;
        picture.style.width = `${view.picture.width}px`;
        picture.style.height = `${view.picture.height}px`;
        picture.style.transform = `matrix(${scale}, 0, 0, ${scale}, ${x}, ${y})`;
        picture.classList.toggle("mv-sharp", scale * devicePixelRatio >= SHARP_FROM);
        panel.outlines.place(view, placed, lines);
      }
      return placed;
    },
    /** Marks in each other panel where the pointer is in one. */
    cross: (under, at) => {
      for (const { root: one, cross } of both) {
        cross.hidden = !at || one === under?.root;
        if (at) cross.style.transform = `translate(${at[0]}px, ${at[1]}px)`;
      }
    },
  };
};
