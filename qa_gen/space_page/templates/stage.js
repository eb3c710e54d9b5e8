// The stage: what is shown now, the readings, and one frame of it.
const canvas = document.getElementById("canvas"), stage = document.getElementById("stage");
const overlay = document.getElementById("labels"), tip = document.getElementById("tip"), note = document.getElementById("note");
const find = (id) => document.getElementById(id);

const colourOf = (name) => {
  const probe = document.createElement("canvas").getContext("2d");
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const hex = probe.fillStyle;
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
};
const frame = scene.ground
  ? { up: scene.ground.normal, ahead: scene.ground.ahead, right: scene.ground.right }
  : { up: [0, -1, 0], ahead: [0, 0, 1], right: [1, 0, 0] };
const readLook = () => ({
  paper: colourOf("--stage"), ink: colourOf("--ink"), direct: colourOf("--direct"), reflected: colourOf("--reflected"),
  surface: colourOf("--surface"), accent: colourOf("--accent"), good: colourOf("--good"), bad: colourOf("--bad"),
  axes: [colourOf("--axis-x"), colourOf("--axis-y"), colourOf("--axis-z")], up: frame.up,
});
let look = readLook();

const ui = {
  share: 0, chosen: null, hot: null, cameraSize: 0.3, reach: [[-2, 0], [2, 4]],
  show: { cloud: true, direct: true, virtual: true, real: true, links: true, planes: true, floor: true, camera: true, doubts: false, labels: true },
};

// Readings: where they are seen, and where they are put back to.
const cloud = (() => {
  const given = scene.cloud;
  if (!given) return null;
  const whole = shortsOf(given.positions), owners = shortsOf(given.owners), ways = shortsOf(given.ways), n = given.count;
  const planesOf = given.light_ways.map((way) => (way.is_known ? way.surface_ids.map((id) => surfaces.get(id)) : []));
  const made = {
    seen: new Float32Array(3 * n), back: new Float32Array(3 * n), colours: bytesOf(given.colours), owners, ways,
    sizes: new Float32Array(n), mirrored: new Float32Array(n), focus: new Float32Array(n).fill(1),
  };
  const focal = (scene.camera.fx_px + scene.camera.fy_px) / 2;
  for (let k = 0; k < n; k++) {
    const p = [0, 1, 2].map((axis) => given.low_m[axis] + whole[3 * k + axis] * given.step_m[axis]);
    made.seen.set(p, 3 * k);
    made.back.set(ways[k] ? planesOf[ways[k] - 1].reduce(reflect, p) : p, 3 * k);
    made.sizes[k] = (1.3 * p[2] * (owners[k] ? given.outlined_step_px : given.step_px)) / focal;
    made.mirrored[k] = ways[k] ? 1 : 0;
  }
  return made;
})();
const spread = (values, low, high) => {
  const sorted = Float32Array.from(values).sort();
  return [sorted[Math.floor(low * (sorted.length - 1))], sorted[Math.floor(high * (sorted.length - 1))]];
};
// What most of the room fills, without what mirrors show.
const room = (() => {
  if (!cloud) return { centre: [0, 0, 1.5], box: { low_m: [-1, -1, 0], high_m: [1, 1, 3] } };
  const direct = [];
  for (let k = 0; k < cloud.ways.length; k++) if (!cloud.ways[k]) direct.push([...cloud.seen.slice(3 * k, 3 * k + 3)]);
  const points = direct.length > 50 ? direct : [...cloud.ways.keys()].map((k) => [...cloud.seen.slice(3 * k, 3 * k + 3)]);
  const spans = [0, 1, 2].map((axis) => spread(points.map((p) => p[axis]), 0.03, 0.97));
  if (scene.ground) {
    const along = (axis) => spread(points.map((p) => dot(p, axis)), 0.02, 0.98).map((x) => Math.round(2 * clamp(x, -8, 8)) / 2);
    const [x, y] = [along(scene.ground.right), along(scene.ground.ahead)];
    const foot = onFloor([0, 0, 0]);
    const shift = [dot(foot, scene.ground.right), dot(foot, scene.ground.ahead)];
    ui.reach = [[x[0] - shift[0], Math.min(0, y[0] - shift[1])], [x[1] - shift[0], y[1] - shift[1]]];
  }
  ui.cameraSize = clamp(0.13 * spans[2][1], 0.12, 0.4);
  return { centre: spans.map(([a, b]) => (a + b) / 2), box: { low_m: spans.map(([a]) => a), high_m: spans.map(([, b]) => b) } };
})();

let drawing = null;
try { drawing = startDrawing(canvas); } catch (error) { console.error(error); }
if (!drawing) {
  note.textContent = "This browser does not offer WebGL 2, so the scene is not drawn. The lists say the same in words.";
  for (const tools of document.querySelectorAll(".tools")) tools.hidden = true;
} else if (!cloud) note.textContent = `There are no metres: ${scene.note ?? "no reading of depth is left"}.`;
canvas.addEventListener("webglcontextlost", () => {
  note.textContent = "The browser took the drawing away. Load the page again.";
  note.hidden = false;
});
note.hidden = !note.textContent;
if (drawing && cloud) drawing.setPoints(cloud);

let waiting = false, view = null, shapes = null, isStale = true;
const refresh = () => {
  if (!waiting) { waiting = true; requestAnimationFrame(render); }
};
const restate = () => { isStale = true; refresh(); };
// The way of looking that was asked for, until the onlooker moves.
let lookingAs = "all";
const moving = startMoving(canvas, frame, (byHand) => {
  if (byHand) lookingAs = null;
  refresh();
});

const setFocus = () => {
  if (!cloud || !drawing) return;
  const about = aboutOf(ui.chosen), heat = hotInstances(ui.hot), marks = new Set(subjectOf(ui.chosen));
  const level = [about ? 0 : 1, ...scene.instances.map((one) => {
    if (heat.has(one.instance_id) || marks.has(one.instance_id)) return 2;
    return !about || about.instances.has(one.instance_id) ? 1 : 0;
  })];
  const inside = about && ui.chosen.kind === "surface" ? ui.chosen.id : null;
  const lit = scene.cloud.light_ways.map((way) => way.surface_ids.includes(inside));
  for (let k = 0; k < cloud.focus.length; k++) {
    const of = level[cloud.owners[k]];
    cloud.focus[k] = inside !== null && cloud.ways[k] && lit[cloud.ways[k] - 1] ? Math.max(of, 1) : of;
  }
  drawing.setFocus(cloud.focus);
};

const onScreen = (p) => {
  const q = projected(view, p);
  return { x: ((q.x + 1) / 2) * canvas.clientWidth, y: ((1 - q.y) / 2) * canvas.clientHeight, w: q.w };
};
const drawLabels = () => {
  const taken = [], made = [];
  const order = shapes.labels.map((one) => ({ ...one, spot: onScreen(one.at) })).filter((one) => one.spot.w > 0.05)
    .sort((a, b) => a.rank - b.rank || a.spot.w - b.spot.w);
  for (const one of order) {
    const half = one.text.length * 3.4 + 8, { x, y } = one.spot;
    if (x < 0 || y < 12 || x > canvas.clientWidth || y > canvas.clientHeight) continue;
    const room = [x - half, y - 24, x + half, y - 2];
    if (taken.some((other) => room[0] < other[2] && room[2] > other[0] && room[1] < other[3] && room[3] > other[1])) continue;
    taken.push(room);
    const label = make("span", one.kind, one.text);
    label.style.transform = `translate(${x.toFixed(1)}px, ${(y - 4).toFixed(1)}px) translate(-50%, -100%)`;
    made.push(label);
  }
  overlay.replaceChildren(...made);
};
const render = (now) => {
  waiting = false;
  const flying = moving.advance(now), played = playing ? play(now) : false;
  const ratio = Math.min(devicePixelRatio || 1, 2), width = Math.round(stage.clientWidth * ratio), height = Math.round(stage.clientHeight * ratio);
  if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
  if (isStale) {
    shapes = shapesOf(ui, look);
    drawing?.setLines(shapes.segments);
    drawing?.setDots(shapes.dots);
    setFocus();
    isStale = false;
  }
  const { right, up, ahead } = moving.axes();
  const lens = perspective(moving.state.fov, width / Math.max(height, 1), 0.02, 80);
  view = times(lens, lookFrom(moving.eye(), right, up, ahead));
  drawing?.draw({
    view, size: [width, height], ratio, share: ui.share, pixels: height / 2 / Math.tan(moving.state.fov / 2),
    paper: look.paper, reflected: look.reflected, showPoints: ui.show.cloud, tint: 0.55, dimming: 0.62, planes: shapes.planes,
  });
  if (drawing) drawLabels();
  if (flying || played) refresh();
};
