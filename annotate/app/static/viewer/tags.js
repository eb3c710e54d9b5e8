// Where ids stand: on their region if there is room, else close by.
import { anchorWithin } from "./regions.js";

const HEIGHT = 18, DIGIT = 7.5, SIDES = 13, BADGE_SIDES = 11, LETTER = 9.5, GAP = 2;

/** What one tag looks like; `letters` are those of the slots that it fills. */
export const tagFor = (region, letters) => {
  const shown = letters.join(" ").slice(0, 6);
  return {
    region, letters: shown, height: HEIGHT,
    width: DIGIT * String(region.id).length + SIDES,
    badge: shown ? BADGE_SIDES + LETTER * shown.length + 2 : 0,
  };
};

const offsets = (width, height) => {
  const found = [[0, 0]];
  for (const ring of [1, 2]) {
    const dx = ring * (width + GAP), dy = ring * (height + GAP);
    found.push([0, -dy], [0, dy], [dx, 0], [-dx, 0], [dx, -dy], [-dx, -dy], [dx, dy], [-dx, dy]);
  }
  return found;
};

const isApart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;

/** Places of tags in a panel: chosen ones first, then small regions, which have the least room. */
export const placeTags = (tags, view) => {
  const taken = [], visible = view.visibleBox(), { width: roomX, height: roomY } = view.panel;
  const order = [...tags].sort((a, b) => Number(b.badge > 0) - Number(a.badge > 0) || a.region.area - b.region.area);
  for (const tag of order) {
    const { region } = tag, half = [(tag.width + tag.badge) / 2, tag.height / 2];
    const isIn = ([x, y]) => x >= visible.left && x <= visible.right && y >= visible.top && y <= visible.bottom;
    const anchor = isIn(region.anchor) ? region.anchor : anchorWithin(region, visible);
    tag.at = null;
    if (!anchor) continue;
    tag.anchor = view.toPanel(anchor);
    const boxAt = ([dx, dy]) => {
      const x = Math.min(Math.max(tag.anchor[0] + dx, half[0] + 1), roomX - half[0] - 1);
      const y = Math.min(Math.max(tag.anchor[1] + dy, half[1] + 1), roomY - half[1] - 1);
      return { at: [x, y], left: x - half[0], right: x + half[0], top: y - half[1], bottom: y + half[1] };
    };
    const boxes = offsets(2 * half[0], tag.height).map(boxAt);
    const box = boxes.find((one) => taken.every((other) => isApart(one, other))) ?? boxes[0];
    Object.assign(tag, { at: box.at, box });
    taken.push(box);
  }
  return order;
};

/** The region whose tag is at a point of the panel. */
export const taggedAt = (placed, [x, y]) =>
  placed.find(({ at, box }) => at && x >= box.left && x <= box.right && y >= box.top && y <= box.bottom)?.region ?? null;
