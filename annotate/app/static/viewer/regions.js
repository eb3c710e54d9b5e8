// Regions of a picture: parts united, holes cut out, every ring even-odd; pixels from its top-left corner.
const AREA_ROWS = 40;
const ANCHOR_ROWS = 17;

const crossings = (ring, y) => {
  const found = [];
  for (let k = 0, last = ring.length - 1; k < ring.length; last = k, k += 1) {
    const [ax, ay] = ring[last], [bx, by] = ring[k];
    if (ay > y !== by > y) found.push(ax + ((y - ay) * (bx - ax)) / (by - ay));
  }
  return found.sort((a, b) => a - b);
};

const isInRing = (ring, x, y) => crossings(ring, y).filter((at) => at > x).length % 2 === 1;

const spansOf = (rings, y) => {
  const spans = [];
  for (const ring of rings) {
    const at = crossings(ring, y);
    for (let k = 0; k + 1 < at.length; k += 2) spans.push([at[k], at[k + 1]]);
  }
  return spans.sort((a, b) => a[0] - b[0]);
};

// What a row of the region covers, from left to right, without overlaps.
const rowOf = (region, y) => {
  const merged = [];
  for (const [from, to] of spansOf(region.parts, y)) {
    const last = merged[merged.length - 1];
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return spansOf(region.holes, y).reduce(
    (rest, [from, to]) => rest.flatMap(([a, b]) => [[a, Math.min(b, from)], [Math.max(a, to), b]].filter(([c, d]) => c < d)),
    merged,
  );
};

const boxOf = (rings) => {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const [x, y] of rings.flat()) {
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y);
  }
  return box;
};

const areaOf = (region) => {
  const { top, bottom } = region.box, step = (bottom - top) / AREA_ROWS;
  let area = 0;
  for (let k = 0; k < AREA_ROWS; k += 1) {
    for (const [from, to] of rowOf(region, top + (k + 0.5) * step)) area += (to - from) * step;
  }
  return area;
};

/** A point well inside what of a region lies in a box of the picture; null if nothing does. */
export const anchorWithin = (region, box) => {
  const top = Math.max(region.box.top, box.top), bottom = Math.min(region.box.bottom, box.bottom);
  let best = null, most = 0;
  for (let k = 0; k < ANCHOR_ROWS && top < bottom; k += 1) {
    const share = (k + 0.5) / ANCHOR_ROWS, y = top + share * (bottom - top);
    for (const [from, to] of rowOf(region, y)) {
      const left = Math.max(from, box.left), right = Math.min(to, box.right);
      // A row near the middle is worth more than a slightly wider one at the rim.
      const worth = (right - left) * (1 - Math.abs(share - 0.5));
      if (worth > most) { most = worth; best = [(left + right) / 2, y]; }
    }
  }
  return best;
};

/** Whether a point of the picture belongs to a region. */
export const covers = (region, x, y) =>
  x >= region.box.left && x <= region.box.right && y >= region.box.top && y <= region.box.bottom &&
  region.parts.some((ring) => isInRing(ring, x, y)) && !region.holes.some((ring) => isInRing(ring, x, y));

const regionOf = (kind, id, thing) => {
  const region = { kind, id, thing, key: `${kind} ${id}`, parts: thing.polygons_px ?? [], holes: thing.holes_px ?? [] };
  region.box = boxOf(region.parts);
  region.area = areaOf(region);
  region.anchor = anchorWithin(region, region.box) ?? [(region.box.left + region.box.right) / 2, (region.box.top + region.box.bottom) / 2];
  return region;
};

/** The surfaces and instances of a scene, those of one kind from large to small, so that small ones lie on top. */
export const regionsOf = (scene) => {
  const bySize = (a, b) => b.area - a.area || a.id - b.id;
  const surfaces = (scene?.surfaces ?? []).map((one) => regionOf("surface", one.surface_id, one)).sort(bySize);
  const instances = (scene?.instances ?? []).map((one) => regionOf(one.visibility === "reflected" ? "reflected" : "direct", one.instance_id, one)).sort(bySize);
  return [...surfaces, ...instances].filter((one) => one.parts.length);
};

/** Instances at a point, smallest first. */
export const instancesAt = (regions, x, y) => regions.filter((one) => one.kind !== "surface" && covers(one, x, y)).reverse();

/** What a point shows: the smallest instance, or else the smallest surface. */
export const regionAt = (regions, x, y) =>
  instancesAt(regions, x, y)[0] ?? regions.filter((one) => one.kind === "surface" && covers(one, x, y)).pop() ?? null;
