// Outlines of one panel: fills and lines move with the picture, tags and links stay of one size on the screen.
import { draw, pathOf } from "./making.js";
import { nameOf } from "./telling.js";

let clips = 0;

// Parts are united under one opacity; each hole cuts by itself, so that holes may overlap as well.
const fillOf = (region, picture, defs) => {
  let shape = draw("g", "mv-fill", {}, ...region.parts.map((ring) => draw("path", "", { d: pathOf([ring]), "fill-rule": "evenodd" })));
  for (const hole of region.holes) {
    clips += 1;
    const d = `M0 0H${picture.width}V${picture.height}H0Z${pathOf([hole])}`;
    defs.append(draw("clipPath", "", { id: `mv-hole-${clips}` }, draw("path", "", { d, "clip-rule": "evenodd" })));
    shape = draw("g", "", { "clip-path": `url(#mv-hole-${clips})` }, shape);
  }
  return shape;
};

const shapeOf = (scene, region, picture, defs) => {
  const isSurface = region.kind === "surface";
  const d = pathOf([...region.parts, ...region.holes]);
  const shape = draw(
    "g", `mv-region mv-${region.kind}`,
    {
      role: isSurface ? "img" : "button", "aria-label": nameOf(scene, region), tabindex: isSurface ? null : "-1",
      "data-surface": isSurface ? region.id : null, "data-instance": isSurface ? null : region.id,
    },
    fillOf(region, picture, defs), draw("path", "mv-halo", { d }), draw("path", "mv-line", { d }),
  );
  return shape;
};

// Three shapes of tags, so that nobody needs their colours: rounded, pointed, square.
const TAG_PATHS = {
  direct: (w, h) => `M${h / 2 - w / 2} ${-h / 2}h${w - h}a${h / 2} ${h / 2} 0 0 1 0 ${h}h${h - w}a${h / 2} ${h / 2} 0 0 1 0 ${-h}Z`,
  reflected: (w, h) => `M${-w / 2} 0l6 ${-h / 2}h${w - 12}l6 ${h / 2}l-6 ${h / 2}h${12 - w}Z`,
  surface: (w, h) => `M${-w / 2} ${-h / 2}h${w}v${h}h${-w}Z`,
};

const tagOf = (tag) => {
  const { region, letters, width, height, badge } = tag;
  const element = draw(
    "g", `mv-tag mv-${region.kind}`, { "data-tag": region.id },
    draw("line", "mv-leader"),
    draw("path", "mv-plate", { d: TAG_PATHS[region.kind](width, height), transform: `translate(${badge / 2} 0)` }),
    draw("text", "mv-id", { x: badge / 2, y: 0 }, String(region.id)),
  );
  if (badge) {
    const left = -width / 2 - badge / 2;
    element.append(
      draw("rect", "mv-badge", { x: left, y: -height / 2 - 2, width: badge - 2, height: height + 4, rx: 4 }),
      draw("text", "mv-letter", { x: left + (badge - 2) / 2, y: 0 }, letters),
    );
  }
  return element;
};

/** The drawing of one panel. */
export const createOutlines = (svg) => {
  const defs = draw("defs"), shapes = draw("g", "mv-shapes"), links = draw("g", "mv-links"), tags = draw("g", "mv-tags");
  svg.append(defs, shapes, links, tags);
  const byKey = new Map();
  const tagsByKey = new Map();

  return {
    shapeOf: (key) => byKey.get(key) ?? null,
    setScene: (scene, regions, picture) => {
      byKey.clear();
      defs.replaceChildren();
      links.replaceChildren();
      for (const region of regions) byKey.set(region.key, shapeOf(scene, region, picture, defs));
      shapes.replaceChildren(...byKey.values());
    },
    setChosen: (scene, regions, lettersOf) => {
      for (const region of regions) {
        const letters = lettersOf(region), shape = byKey.get(region.key);
        shape.classList.toggle("mv-chosen", letters.length > 0);
        if (region.kind === "surface") continue;
        shape.setAttribute("aria-pressed", String(letters.length > 0));
        shape.setAttribute("aria-label", nameOf(scene, region, letters));
      }
    },
    setHot: (key, linkedKeys) => {
      for (const [one, shape] of byKey) {
        shape.classList.toggle("mv-hot", one === key);
        shape.classList.toggle("mv-linked", linkedKeys.includes(one));
      }
      for (const [one, tag] of tagsByKey) tag.classList.toggle("mv-hot", one === key);
    },
    setTags: (wanted) => {
      tagsByKey.clear();
      for (const tag of wanted) tagsByKey.set(tag.region.key, tagOf(tag));
      tags.replaceChildren(...tagsByKey.values());
    },
    /** Puts everything where the view has it. */
    place: (view, placed, lines) => {
      const [x, y] = view.toPanel([0, 0]), scale = view.scale();
      shapes.setAttribute("transform", `matrix(${scale} 0 0 ${scale} ${x} ${y})`);
      for (const tag of placed) {
        const element = tagsByKey.get(tag.region.key);
        element.toggleAttribute("hidden", !tag.at);
        if (!tag.at) continue;
        element.setAttribute("transform", `translate(${tag.at[0]} ${tag.at[1]})`);
        const leader = element.firstChild;
        leader.setAttribute("x2", tag.anchor[0] - tag.at[0]);
        leader.setAttribute("y2", tag.anchor[1] - tag.at[1]);
      }
      links.replaceChildren(...lines.map(([[x1, y1], [x2, y2]]) => draw("line", "mv-link", { x1, y1, x2, y2 })));
    },
  };
};
