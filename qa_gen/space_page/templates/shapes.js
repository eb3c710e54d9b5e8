// What is drawn of the scene: segments, dots, planes, labels, and what the pointer can meet.
const byId = new Map(scene.instances.map((one) => [one.instance_id, one]));
const surfaces = new Map(scene.surfaces.map((one) => [one.surface_id, one]));
const things = new Map(scene.things.map((one) => [one.key, one]));
const linkOf = new Map(scene.links.map((one) => [one.reflected_id, one]));
const thingOf = (id) => things.get(byId.get(id).thing);
const named = (one) => `${one.name} ${one.instance_id ?? one.surface_id}`;
const isReflected = (one) => one.visibility === "reflected";

// What a selection is about: instances, surfaces, things.
const aboutOf = (chosen) => {
  if (!chosen) return null;
  const about = { instances: new Set(), surfaces: new Set() };
  if (chosen.kind === "surface") {
    about.surfaces.add(chosen.id);
    for (const one of scene.instances) if (one.seen_in.includes(chosen.id)) about.instances.add(one.instance_id);
  } else if (chosen.kind === "instance") {
    for (const id of thingOf(chosen.id).instance_ids) about.instances.add(id);
    for (const id of about.instances) for (const which of byId.get(id).seen_in) about.surfaces.add(which);
  } else {
    const proposal = scene.proposals[chosen.id];
    for (const id of [...proposal.slots, ...proposal.instance_ids]) if (byId.has(id)) about.instances.add(id);
    for (const id of about.instances) for (const which of byId.get(id).seen_in) about.surfaces.add(which);
    for (const which of proposal.surface_ids) about.surfaces.add(which);
    // What rests on nothing outlined, such as a collision, is about the whole room.
    if (!about.instances.size) return null;
  }
  return about;
};

// Instances that a proposal is about, without all that was merely looked at on the way.
const subjectOf = (chosen) => {
  if (chosen?.kind === "proposal") return scene.proposals[chosen.id].slots.filter((id) => byId.has(id));
  return chosen?.kind === "instance" ? [chosen.id] : [];
};

// Instances that the pointer is on, in the scene or by a row of a list.
const hotInstances = (hot) => new Set(hot?.kind === "instance" ? [hot.id] : hot?.kind === "proposal" ? subjectOf(hot) : []);

const ringsAround = (centre, radii, ink) => {
  const found = [];
  for (const [i, j] of [[0, 1], [1, 2], [0, 2]]) {
    let last = null;
    for (let k = 0; k <= 28; k++) {
      const at = [...centre], angle = (2 * Math.PI * k) / 28;
      at[i] += radii[i] * Math.cos(angle);
      at[j] += radii[j] * Math.sin(angle);
      if (last) found.push({ a: last, b: at, ink, width: 1 });
      last = at;
    }
  }
  return found;
};
const boxLines = (corners, ink, width, dash) => EDGES.map(([a, b]) => ({ a: corners[a], b: corners[b], ink, width, dash }));
const arrow = (from, to, ink, width = 2.5) => {
  const way = unit(sub(to, from)), head = Math.min(0.1, 0.22 * norm(sub(to, from)));
  const side = unit(cross(way, Math.abs(way[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0])), other = cross(way, side);
  const lines = [{ a: from, b: to, ink, width }];
  for (const s of [side, scale(side, -1), other, scale(other, -1)]) {
    lines.push({ a: to, b: add(to, add(scale(way, -head), scale(s, head * 0.45))), ink, width });
  }
  return lines;
};
const onFloor = (p) => add(p, scale(scene.ground.normal, -(dot(p, scene.ground.normal) + scene.ground.offset_m)));

const gridLines = (reach, ink) => {
  const { ground } = scene, foot = onFloor([0, 0, 0]), found = [];
  const spot = (x, y) => add(foot, add(scale(ground.right, x), scale(ground.ahead, y)));
  const [low, high] = reach;
  for (let x = low[0]; x <= high[0] + 1e-9; x += 0.5) found.push({ a: spot(x, low[1]), b: spot(x, high[1]), ink, width: 1 });
  for (let y = low[1]; y <= high[1] + 1e-9; y += 0.5) found.push({ a: spot(low[0], y), b: spot(high[0], y), ink, width: 1 });
  return found;
};

const cameraShapes = (look, far) => {
  const segments = [], labels = [];
  if (!scene.camera) return { segments, labels };
  const corners = scene.camera.corners_m.map((ray) => scale(ray, far)), ink = [...look.ink, 0.75];
  corners.forEach((corner, k) => {
    segments.push({ a: [0, 0, 0], b: corner, ink, width: 1.25 }, { a: corner, b: corners[(k + 1) % 4], ink, width: 1.75 });
  });
  const top = mix(corners[0], corners[1], 0.5);
  segments.push({ a: corners[0], b: add(top, [0, -0.15 * far, 0]), ink, width: 1.25 }, { a: corners[1], b: add(top, [0, -0.15 * far, 0]), ink, width: 1.25 });
  ["x", "y", "z"].forEach((name, axis) => {
    const end = [0, 0, 0];
    end[axis] = 0.9 * far;
    segments.push(...arrow([0, 0, 0], end, [...look.axes[axis], 1], 2.25));
    labels.push({ text: name, at: scale(end, 1.15), kind: `axis${axis}`, rank: 6 });
  });
  return { segments, labels };
};

const shapesOf = (ui, look) => {
  const segments = [], dots = [], planes = [], labels = [], targets = [];
  const about = aboutOf(ui.chosen), subject = new Set(subjectOf(ui.chosen)), t = ui.share;
  const wholeThings = ui.chosen?.kind === "proposal" || ui.chosen?.kind === "instance";
  const strength = (id, kind) => (!about || about[kind].has(id) ? 1 : 0.13);
  const heat = hotInstances(ui.hot), isHotSurface = (id) => ui.hot?.kind === "surface" && ui.hot.id === id;

  if (ui.show.camera) {
    const camera = cameraShapes(look, ui.cameraSize);
    segments.push(...camera.segments);
    labels.push(...camera.labels);
  }
  if (ui.show.floor && scene.ground?.is_seen) segments.push(...gridLines(ui.reach, [...look.ink, 0.16]));

  for (const one of scene.surfaces) {
    if (!ui.show.planes || !one.loops_m.length) continue;
    const strong = strength(one.surface_id, "surfaces"), hot = isHotSurface(one.surface_id);
    planes.push({ loops: one.loops_m, ink: [...look.surface, (hot ? 0.28 : 0.13) * strong] });
    const dash = one.confidence < 0.5 ? 9 : 0;
    for (const loop of one.loops_m) {
      loop.forEach((a, k) => segments.push({ a, b: loop[(k + 1) % loop.length], ink: [...look.surface, strong], width: hot ? 3.5 : 2.25, dash }));
    }
    segments.push(...arrow(one.centre_m, add(one.centre_m, scale(one.normal, 0.28)), [...look.surface, strong], 2.25));
    const chosen = { kind: "surface", id: one.surface_id };
    if (strong === 1) {
      labels.push({ text: `${one.name} ${one.surface_id}`, at: one.centre_m, kind: "surface", rank: about ? 2 : 4, chosen });
      targets.push({ chosen, loops: one.loops_m });
    }
  }

  for (const one of scene.instances) {
    const strong = strength(one.instance_id, "instances"), hot = heat.has(one.instance_id) || subject.has(one.instance_id);
    const chosen = { kind: "instance", id: one.instance_id }, colour = isReflected(one) ? look.reflected : look.direct;
    const width = hot ? 3 : 1.5, shown = [];
    if (isReflected(one)) {
      const planesOn = one.seen_in.map((id) => surfaces.get(id));
      const virtual = one.seen && cornersOf(one.seen.box);
      if (virtual && ui.show.virtual) {
        segments.push(...boxLines(virtual, [...colour, 0.9 * strong], width, 7));
        shown.push({ at: one.seen.centre_m, corners: virtual });
      }
      if (one.real && ui.show.real) {
        segments.push(...boxLines(cornersOf(one.real.box), [...colour, strong], width));
        shown.push({ at: one.real.centre_m, corners: cornersOf(one.real.box) });
      }
      if (one.real && virtual && t > 0.02 && t < 0.98) {
        const back = virtual.map((corner) => planesOn.reduce(reflect, corner));
        const ghost = virtual.map((corner, k) => mix(corner, back[k], t));
        segments.push(...boxLines(ghost, [...colour, 0.6 * strong], 1.25));
      }
      if (one.real && one.seen && ui.show.links) {
        segments.push({ a: one.seen.centre_m, b: one.real.centre_m, ink: [...colour, 0.5 * strong], width: hot ? 2 : 1.1, dash: 4 });
        if (strong === 1) dots.push({ at: mix(one.seen.centre_m, one.real.centre_m, t), ink: [...colour, 1], size: hot ? 11 : 6 });
      }
    } else if (one.real && ui.show.direct) {
      segments.push(...boxLines(cornersOf(one.real.box), [...colour, strong], width));
      shown.push({ at: one.real.centre_m, corners: cornersOf(one.real.box) });
    }
    const doubt = one.real?.doubt_m;
    if (doubt && strong === 1 && (ui.show.doubts || hot)) {
      segments.push(...ringsAround(one.real.centre_m, [doubt, doubt, doubt], [...colour, hot ? 0.7 : 0.4]));
    }
    if (!shown.length || strong < 1) continue;
    shown.forEach((spot) => targets.push({ chosen, at: spot.at, corners: spot.corners }));
    const at = isReflected(one) && one.real && shown.length === 2 ? (t > 0.5 ? shown[1] : shown[0]) : shown[0];
    const top = at.corners.reduce((best, corner) => (dot(corner, look.up) > dot(best, look.up) ? corner : best));
    labels.push({ text: named(one), at: add(at.at, scale(look.up, dot(sub(top, at.at), look.up))), kind: one.visibility, rank: hot ? 1 : 3, chosen });
  }

  for (const link of scene.links) {
    if (!ui.show.links || !link.put_back_m || !link.thing_m) continue;
    const strong = strength(link.reflected_id, "instances"), ink = [...(link.agrees ? look.good : look.bad), strong];
    segments.push({ a: link.put_back_m, b: link.thing_m, ink, width: 4 });
    if (strong < 1) continue;
    for (const at of [link.put_back_m, link.thing_m]) dots.push({ at, ink, size: 9 });
    const near = subject.has(link.reflected_id) || subject.has(link.real_id) || heat.has(link.reflected_id) || heat.has(link.real_id);
    if (near || !link.agrees) {
      labels.push({ text: `${small(link.gap_m)} apart`, at: mix(link.put_back_m, link.thing_m, 0.5), kind: link.agrees ? "good" : "bad", rank: near ? 0 : 5 });
    }
  }

  if (wholeThings) {
    for (const key of new Set([...subject].map((id) => byId.get(id).thing))) {
      const { box, doubt_m: doubt } = things.get(key);
      if (!box) continue;
      segments.push(...boxLines(cornersOf(box), [...look.ink, 0.85], 1.75));
      segments.push(...ringsAround(middleOf(box), doubt, [...look.ink, 0.35]));
    }
  }
  if (ui.chosen?.kind === "proposal") {
    const more = proposalShapes(scene.proposals[ui.chosen.id], look);
    segments.push(...more.segments);
    labels.push(...more.labels);
  }
  return { segments, dots, planes, labels: ui.show.labels ? labels : labels.filter((one) => one.rank === 0), targets };
};
