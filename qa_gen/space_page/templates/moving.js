// Where the onlooker is: around a target, in a frame that stands on the floor.
const EASE_MS = 480;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

const startMoving = (canvas, frame, changed) => {
  const state = { target: [0, 0, 2], yaw: 0.6, pitch: 0.45, distance: 4, roll: 0, fov: 0.8 };
  let flight = null;

  const axes = () => {
    const level = add(scale(frame.ahead, Math.cos(state.yaw)), scale(frame.right, Math.sin(state.yaw)));
    const ahead = add(scale(level, Math.cos(state.pitch)), scale(frame.up, -Math.sin(state.pitch)));
    const flat = unit(cross(level, frame.up));
    const upright = cross(flat, ahead);
    const c = Math.cos(state.roll), s = Math.sin(state.roll);
    return {
      ahead,
      right: sub(scale(flat, c), scale(upright, s)),
      up: add(scale(upright, c), scale(flat, s)),
    };
  };
  const eye = () => sub(state.target, scale(axes().ahead, state.distance));
  const turnTo = (direction) => ({
    yaw: Math.atan2(dot(direction, frame.right), dot(direction, frame.ahead)),
    pitch: -Math.asin(clamp(dot(unit(direction), frame.up), -1, 1)),
  });
  const flyTo = (wanted) => {
    const from = { ...state }, to = { ...state, ...wanted };
    to.yaw = from.yaw + Math.atan2(Math.sin(to.yaw - from.yaw), Math.cos(to.yaw - from.yaw));
    flight = { from, to, start: performance.now() };
    if (calm) { Object.assign(state, to); flight = null; }
    changed();
  };
  // One step of a flight; true while it goes on.
  const advance = (now) => {
    if (!flight) return false;
    const x = clamp((now - flight.start) / EASE_MS, 0, 1), t = x * x * (3 - 2 * x);
    for (const key of ["yaw", "pitch", "roll", "fov"]) state[key] = flight.from[key] + (flight.to[key] - flight.from[key]) * t;
    state.target = mix(flight.from.target, flight.to.target, t);
    state.distance = flight.from.distance * (flight.to.distance / flight.from.distance) ** t;
    if (x >= 1) flight = null;
    return x < 1;
  };
  const orbit = (dx, dy) => {
    state.yaw += dx;
    state.pitch = clamp(state.pitch + dy, -1.55, 1.55);
    state.roll *= 0.8;
    flight = null;
    changed(true);
  };
  const pan = (dx, dy) => {
    const { right, up } = axes(), step = (2 * state.distance * Math.tan(state.fov / 2)) / canvas.clientHeight;
    state.target = add(state.target, add(scale(right, -dx * step), scale(up, dy * step)));
    flight = null;
    changed(true);
  };
  const zoom = (factor) => {
    state.distance = clamp(state.distance * factor, 0.05, 60);
    flight = null;
    changed(true);
  };

  const held = new Map();
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, [event.clientX, event.clientY]);
    moved = 0;
  });
  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    moved += Math.abs(dx) + Math.abs(dy);
    if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)[1];
      const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
      const is = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
      if (was > 0 && is > 0) zoom(was / is);
      pan(dx / 2, dy / 2);
    } else if (event.buttons & 6 || event.shiftKey) pan(dx, dy);
    else orbit(dx * 0.006, dy * 0.006);
    held.set(event.pointerId, [event.clientX, event.clientY]);
  });
  for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => held.delete(event.pointerId));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(clamp(event.deltaY, -300, 300) * 0.0016));
  }, { passive: false });

  return { state, axes, eye, turnTo, flyTo, advance, orbit, pan, zoom, isHeld: () => held.size > 0, wasMoved: () => moved > 5 };
};
