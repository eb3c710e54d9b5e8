// Vectors are arrays of three numbers, metres of the camera frame; matrices are columns first.
const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a) => Math.hypot(a[0], a[1], a[2]);
const unit = (a) => scale(a, 1 / (norm(a) || 1));
const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];
const clamp = (x, low, high) => Math.min(Math.max(x, low), high);
const reflect = (p, plane) => sub(p, scale(plane.normal, 2 * (dot(p, plane.normal) + plane.offset_m)));
const middleOf = (box) => mix(box.low_m, box.high_m, 0.5);

const cornersOf = (box) => {
  const found = [];
  for (let k = 0; k < 8; k++) {
    found.push([0, 1, 2].map((axis) => ((k >> axis) & 1 ? box.high_m : box.low_m)[axis]));
  }
  return found;
};
const EDGES = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

const times = (a, b) => {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[4 * k + r] * b[4 * c + k];
    out[4 * c + r] = sum;
  }
  return out;
};
const perspective = (fovY, aspect, near, far) => {
  const f = 1 / Math.tan(fovY / 2);
  return new Float32Array([
    f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (far + near) / (near - far), -1, 0, 0, (2 * far * near) / (near - far), 0,
  ]);
};
const lookFrom = (eye, right, up, ahead) => new Float32Array([
  right[0], up[0], -ahead[0], 0, right[1], up[1], -ahead[1], 0, right[2], up[2], -ahead[2], 0,
  -dot(right, eye), -dot(up, eye), dot(ahead, eye), 1,
]);
const projected = (m, p) => {
  const w = m[3] * p[0] + m[7] * p[1] + m[11] * p[2] + m[15];
  return {
    x: (m[0] * p[0] + m[4] * p[1] + m[8] * p[2] + m[12]) / w,
    y: (m[1] * p[0] + m[5] * p[1] + m[9] * p[2] + m[13]) / w,
    w,
  };
};

const bytesOf = (text) => {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  return bytes;
};
const shortsOf = (text) => {
  const view = new DataView(bytesOf(text).buffer), out = new Uint16Array(view.byteLength / 2);
  for (let k = 0; k < out.length; k++) out[k] = view.getUint16(2 * k, true);
  return out;
};
const metres = (value, digits = 2) => `${value.toFixed(digits)} m`;
const small = (value) => (value < 1 ? `${(100 * value).toFixed(value < 0.1 ? 1 : 0)} cm` : metres(value));
// A place as one would say it who stands at the camera.
const inWords = (p) =>
  `${metres(Math.abs(p[0]))} ${p[0] < 0 ? "left" : "right"}, ${metres(Math.abs(p[1]))} ${p[1] < 0 ? "up" : "down"}, ` +
  `${metres(Math.abs(p[2]))} ${p[2] < 0 ? "behind the camera" : "ahead"}`;
