// Ways to look at the scene, and flights to what is chosen.

// The least distance from which all spots are in sight, a margin left around them.
const fitted = (spots, turn, margin = 0.8) => {
  const low = [0, 1, 2].map((k) => Math.min(...spots.map((p) => p[k]))), high = [0, 1, 2].map((k) => Math.max(...spots.map((p) => p[k])));
  const wanted = { yaw: moving.state.yaw, pitch: moving.state.pitch, ...turn, roll: 0, fov: 0.8, target: mix(low, high, 0.5) };
  const before = { ...moving.state };
  Object.assign(moving.state, wanted);
  const { right, up, ahead } = moving.axes(), tan = Math.tan(wanted.fov / 2) * margin;
  const aspect = stage.clientWidth / Math.max(stage.clientHeight, 1);
  for (let round = 0; round < 4; round++) {
    const seen = spots.map((p) => sub(p, wanted.target)).map((v) => [dot(v, right), dot(v, up), dot(v, ahead)]);
    wanted.distance = Math.max(0.6, ...seen.map(([x, y, z]) => Math.max(Math.abs(x) / aspect, Math.abs(y)) / tan - z));
    // What is nearer looks larger, so the middle of the spots is not the middle of what is seen.
    const [x, y] = [0, 1].map((k) => {
      const at = seen.map((v) => v[k] / Math.max(wanted.distance + v[2], 0.05));
      return ((Math.min(...at) + Math.max(...at)) / 2) * wanted.distance;
    });
    if (round < 3) wanted.target = add(wanted.target, add(scale(right, x), scale(up, y)));
  }
  Object.assign(moving.state, before);
  return wanted;
};
const overview = () => {
  const mirrors = scene.surfaces.filter((one) => one.loops_m.length), spots = [[0, 0, 0], ...cornersOf(room.box)];
  let yaw = 0.75;
  if (mirrors.length) {
    // From the side on which the mirror does not stand, so that both the room and its image are seen.
    yaw = dot(mirrors[0].normal, frame.right) > 0.05 ? -0.75 : 0.75;
    for (const one of mirrors) spots.push(...one.loops_m.flat());
  }
  return fitted(spots, { yaw, pitch: 0.5 }, 0.84);
};
const cameraView = () => {
  const ahead = [0, 0, 1], turn = moving.turnTo(ahead), distance = clamp(room.centre[2], 0.5, 5);
  const level = add(scale(frame.ahead, Math.cos(turn.yaw)), scale(frame.right, Math.sin(turn.yaw)));
  const flat = unit(cross(level, frame.up)), upright = cross(flat, ahead), above = [0, -1, 0];
  const { camera } = scene, aspect = stage.clientWidth / Math.max(stage.clientHeight, 1);
  const half = camera ? Math.max(camera.height_px / 2 / camera.fy_px, camera.width_px / 2 / camera.fx_px / aspect) : 0.5;
  return { ...turn, roll: Math.atan2(dot(above, flat), dot(above, upright)), target: scale(ahead, distance), distance, fov: 2 * Math.atan(half) };
};
const LOOKS = {
  all: overview,
  camera: cameraView,
  top: () => fitted([[0, 0, 0], ...cornersOf(room.box)], { yaw: 0, pitch: 1.5 }),
  side: () => fitted([[0, 0, 0], ...cornersOf(room.box)], { yaw: Math.PI / 2, pitch: 0.08 }),
};
const lookAs = (name) => {
  lookingAs = name;
  moving.flyTo(LOOKS[name]());
};
const flyToChosen = (chosen) => {
  const spots = spotsOf(chosen);
  if (!spots.length) return;
  lookingAs = null;
  moving.flyTo(fitted(spots, { pitch: clamp(moving.state.pitch, 0.12, 0.9) }, 0.62));
};
