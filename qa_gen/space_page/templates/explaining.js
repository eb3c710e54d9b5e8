// Shapes that explain one proposal, and what a flight to it brings into sight.

// The strip of floor that a body needs on its way.
const lane = (from, to, radius, ink) => {
  const way = unit(sub(to, from)), side = scale(unit(cross(way, scene.ground.normal)), radius), end = add(to, scale(way, radius));
  const corners = [add(from, side), add(end, side), sub(end, side), sub(from, side)];
  return corners.map((a, k) => ({ a, b: corners[(k + 1) % 4], ink, width: 2 }));
};
// Legs of a relation along the camera's axes, as its answer says them: right, down, ahead.
const AXES = [["right", "left"], ["below", "above"], ["farther", "nearer"]];
const relationShapes = (first, second, look) => {
  const to = middleOf(first.box), steps = sub(to, middleOf(second.box)), segments = [], labels = [];
  let at = middleOf(second.box);
  steps.forEach((step, axis) => {
    const next = [...at];
    next[axis] += step;
    segments.push({ a: at, b: next, ink: [...look.axes[axis], 1], width: 3 });
    if (Math.abs(step) >= 0.01) {
      labels.push({ text: `${metres(Math.abs(step))} ${AXES[axis][step > 0 ? 0 : 1]}`, at: mix(at, next, 0.5), kind: `axis${axis}`, rank: 0 });
    }
    at = next;
  });
  return { segments, labels };
};
const MOVES = { left: ["right", -1], right: ["right", 1], forward: ["ahead", 1], backward: ["ahead", -1], above: ["normal", 1], below: ["normal", -1] };
const SIDES = { left: [-1, 0, 0], right: [1, 0, 0], above: [0, -1, 0], below: [0, 1, 0], front: [0, 0, -1], behind: [0, 0, 1] };

const proposalShapes = (proposal, look) => {
  const segments = [], labels = [], placed = proposal.slots.filter((id) => byId.has(id)).map(thingOf);
  if (proposal.template_id.startsWith("mr_") && placed.length === 2 && placed.every((one) => one.box)) {
    const legs = relationShapes(placed[0], placed[1], look);
    segments.push(...legs.segments);
    labels.push(...legs.labels);
  }
  const place = placed[0]?.box && middleOf(placed[0].box);
  if (proposal.template_id === "ct_001" && place && SIDES[proposal.direction]) {
    segments.push(...arrow(place, add(place, scale(SIDES[proposal.direction], 0.6)), [...look.accent, 1]));
  }
  if (["ac_001", "ac_002", "ac_003"].includes(proposal.template_id) && place && scene.ground) {
    const foot = onFloor([0, 0, 0]), goal = onFloor(place), ink = [...look.accent, 1];
    segments.push(...arrow(foot, goal, ink), { a: goal, b: place, ink: [...look.accent, 0.7], width: 1.5, dash: 8 });
    segments.push({ a: foot, b: [0, 0, 0], ink: [...look.accent, 0.7], width: 1.5, dash: 8 });
    labels.push({ text: `${metres(norm(sub(goal, foot)))} over the floor`, at: mix(foot, goal, 0.5), kind: "plain", rank: 0 });
  }
  const move = MOVES[proposal.direction];
  if (proposal.template_id === "ac_004" && move && scene.ground) {
    const way = scale(scene.ground[move[0]], move[1] * scene.move_m);
    segments.push(...arrow([0, 0, 0], way, [...look.accent, 1], 3.5));
    if (move[0] !== "normal") segments.push(...lane(onFloor([0, 0, 0]), onFloor(way), scene.body_radius_m, [...look.accent, 0.9]));
    labels.push({ text: `${metres(scene.move_m, 1)} ${proposal.direction}`, at: way, kind: "plain", rank: 0 });
  }
  return { segments, labels };
};

// Points that a flight to a selection brings into sight.
const spotsOf = (chosen) => {
  const about = aboutOf(chosen), spots = [];
  if (chosen.kind === "surface") spots.push(...surfaces.get(chosen.id).loops_m.flat());
  const ids = chosen.kind === "proposal" ? subjectOf(chosen) : chosen.kind === "instance" ? about.instances : [];
  for (const id of ids) {
    const one = byId.get(id), { box } = thingOf(id);
    if (box) spots.push(...cornersOf(box));
    for (const side of [one.seen, one.real]) if (side) spots.push(...cornersOf(side.box));
  }
  if (chosen.kind === "proposal") {
    const { template_id: template, direction } = scene.proposals[chosen.id];
    if (template.startsWith("ac_")) spots.push([0, 0, 0]);
    if (template === "ac_004" && scene.ground && MOVES[direction]) spots.push(scale(scene.ground[MOVES[direction][0]], MOVES[direction][1] * scene.move_m));
    if (template.startsWith("ac_") && scene.ground) spots.push(onFloor([0, 0, 0]));
  }
  return spots;
};
