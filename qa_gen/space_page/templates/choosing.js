// Choosing and hovering, in the scene and in the picture beside it.
const listing = startListing((chosen) => choose(chosen), (hot) => setHot(hot));
const sameAs = (a, b) => a?.kind === b?.kind && a?.id === b?.id;
const choose = (chosen, fly = true) => {
  ui.chosen = sameAs(ui.chosen, chosen) ? null : chosen;
  listing.show(ui.chosen);
  drawOutlines();
  if (ui.chosen && fly) flyToChosen(ui.chosen);
  restate();
};
const setHot = (hot) => {
  if (sameAs(ui.hot, hot)) return;
  ui.hot = hot;
  drawOutlines();
  restate();
};
const insideLoops = (loops, x, y) => {
  let inside = false;
  for (const loop of loops) {
    const at = loop.map(onScreen);
    if (at.some((p) => p.w <= 0)) return false;
    at.forEach((p, k) => {
      const q = at[(k + at.length - 1) % at.length];
      if (p.y > y !== q.y > y && x < ((q.x - p.x) * (y - p.y)) / (q.y - p.y) + p.x) inside = !inside;
    });
  }
  return inside;
};
const met = (x, y) => {
  let best = null, least = Infinity;
  for (const target of shapes?.targets ?? []) {
    if (target.loops) {
      if (!best && insideLoops(target.loops, x, y)) best = target.chosen;
      continue;
    }
    const at = onScreen(target.at), spots = target.corners.map(onScreen);
    if (at.w <= 0 || spots.some((p) => p.w <= 0)) continue;
    const xs = spots.map((p) => p.x), ys = spots.map((p) => p.y), pad = 4;
    const isIn = x > Math.min(...xs) - pad && x < Math.max(...xs) + pad && y > Math.min(...ys) - pad && y < Math.max(...ys) + pad;
    const off = Math.hypot(at.x - x, at.y - y);
    // Of boxes over each other the smaller is meant, wherever the pointer is nearer its middle.
    const cost = off + 0.15 * Math.hypot(Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys));
    if ((isIn || off < 12) && cost < least) { least = cost; best = target.chosen; }
  }
  return best;
};
const showTip = (chosen, x, y) => {
  tip.hidden = !chosen;
  if (!chosen) return;
  const { title, mark, rows } = describe(chosen);
  tip.className = `tip ${mark}`;
  const list = make("dl");
  fillRows(list, rows.slice(0, 6));
  const about = chosen.kind === "instance" ? scene.proposals.filter((one) => one.slots.includes(chosen.id)) : [];
  const said = about.filter((one) => one.standing !== "refused").sort((a, b) => (a.standing === "sure" ? 0 : 1) - (b.standing === "sure" ? 0 : 1));
  const lines = said.slice(0, 3).map((one) => {
    const line = make("p", `said ${one.standing}`);
    line.append(make("i"), make("span", "", `${one.question}: `), make("b", "", one.answer));
    return line;
  });
  if (about.length) lines.push(make("p", "more", `${about.length} questions, ${about.length - said.length} of them refused. Click to see what it rests on.`));
  tip.replaceChildren(make("h3", "", title), list, ...lines);
  const width = tip.offsetWidth, height = tip.offsetHeight;
  tip.style.left = `${x + 18 + width > stage.clientWidth ? Math.max(4, x - width - 14) : x + 18}px`;
  tip.style.top = `${clamp(y + 14, 4, Math.max(4, stage.clientHeight - height - 4))}px`;
};
canvas.addEventListener("pointermove", (event) => {
  if (moving.isHeld() || event.pointerType === "touch" || !view) { showTip(null); return; }
  const hot = met(event.offsetX, event.offsetY);
  canvas.style.cursor = hot ? "pointer" : "grab";
  setHot(hot);
  showTip(hot, event.offsetX, event.offsetY);
});
canvas.addEventListener("pointerleave", () => { setHot(null); showTip(null); });
canvas.addEventListener("click", (event) => {
  if (moving.wasMoved() || !view) return;
  showTip(null);
  const hit = met(event.offsetX, event.offsetY);
  if (hit) choose(hit);
});
canvas.addEventListener("dblclick", () => { if (ui.chosen) choose(ui.chosen); lookAs("all"); });

// The picture with outlines of what is meant
const SVG = "http://www.w3.org/2000/svg";
const drawOutlines = () => {
  const about = aboutOf(ui.chosen), svg = find("outlines"), heat = hotInstances(ui.hot);
  const marks = new Set(subjectOf(ui.chosen)), paths = [];
  const outline = (rings, kind, strong) => {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", rings.map((ring) => `M${ring.map((p) => p.join(" ")).join("L")}Z`).join(""));
    path.setAttribute("class", `${kind}${strong ? " strong" : ""}`);
    paths.push(path);
  };
  for (const one of scene.surfaces) {
    const isHot = ui.hot?.kind === "surface" && ui.hot.id === one.surface_id;
    if (!about || about.surfaces.has(one.surface_id) || isHot) outline(one.rings_px, "surface", isHot);
  }
  for (const one of scene.instances) {
    const isHot = heat.has(one.instance_id) || marks.has(one.instance_id);
    if (isHot || about?.instances.has(one.instance_id)) outline(one.rings_px, one.visibility, isHot);
  }
  svg.replaceChildren(...paths);
};
