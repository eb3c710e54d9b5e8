// Depth: two channels of a PNG become readings, readings become colours and words.
const READINGS = 65536;
const LOW_PERCENTILE = 2, HIGH_PERCENTILE = 98;

// Halves go to the even neighbour, as where the colours of other depth pictures are computed.
const roundEven = (value) => {
  const whole = Math.floor(value), rest = value - whole;
  if (rest !== 0.5) return Math.round(value);
  return whole % 2 === 0 ? whole : whole + 1;
};

const jet = () => Array.from({ length: 256 }, (_, k) => {
  const position = k === 255 ? 4 : k * (4 / 255);
  return [3, 2, 1].map((peak) => roundEven(255 * Math.min(1, Math.max(0, 1.5 - Math.abs(position - peak)))));
});
const JET = jet();

const readingAtRank = (counts, rank) => {
  let seen = 0;
  for (let reading = 1; reading < READINGS; reading += 1) {
    seen += counts[reading];
    if (seen > rank) return reading;
  }
  return READINGS - 1;
};

/** Readings that take the first and the last colour: percentiles, linear between ranks; null where nothing was read. */
export const rangeOf = (readings) => {
  const counts = new Uint32Array(READINGS);
  for (const reading of readings) counts[reading] += 1;
  const total = readings.length - counts[0];
  if (!total) return null;
  return [LOW_PERCENTILE, HIGH_PERCENTILE].map((percentile) => {
    const rank = ((total - 1) * percentile) / 100, whole = Math.floor(rank);
    const below = readingAtRank(counts, whole), above = readingAtRank(counts, Math.ceil(rank));
    return below + (above - below) * (rank - whole);
  });
};

// One 32-bit colour a reading, its bytes in the order of the canvas; 0 is black.
const colorsOf = (range) => {
  const bytes = new Uint8ClampedArray(4 * READINGS);
  const [near, far] = range ?? [0, 0], span = far > near ? far - near : 1;
  for (let reading = 0; reading < READINGS; reading += 1) {
    const position = Math.min(1, Math.max(0, (reading - near) / span));
    if (reading && range) bytes.set(JET[roundEven(255 * position)], 4 * reading);
    bytes[4 * reading + 3] = 255;
  }
  return new Uint32Array(bytes.buffer);
};

// Nothing may convert colours on the way: neither the decoder, nor drawing, nor reading back.
const SPACE = { colorSpace: "srgb" };

/** Fetches a packed depth map; gives its readings and their size. */
export const fetchDepth = async (url, canvas, signal) => {
  const response = await fetch(url, { signal, credentials: "same-origin" });
  if (!response.ok) throw new Error(`the depth map: expected status 200, found ${response.status}`);
  const bitmap = await createImageBitmap(await response.blob(), { colorSpaceConversion: "none", premultiplyAlpha: "none" });
  try {
    signal.throwIfAborted();
    const { width, height } = bitmap;
    Object.assign(canvas, { width, height });
    const context = canvas.getContext("2d", { willReadFrequently: true, ...SPACE });
    context.imageSmoothingEnabled = false;
    context.drawImage(bitmap, 0, 0);
    const bytes = context.getImageData(0, 0, width, height, SPACE).data;
    const readings = new Uint16Array(width * height);
    for (let k = 0, at = 0; k < readings.length; k += 1, at += 4) readings[k] = (bytes[at] << 8) | bytes[at + 1];
    return { readings, width, height };
  } finally {
    bitmap.close();
  }
};

/** Draws readings in colours, nearest blue, farthest red, none black. */
export const drawDepth = ({ readings, width, height }, range, canvas) => {
  const colors = colorsOf(range);
  const picture = new ImageData(width, height, SPACE);
  const pixels = new Uint32Array(picture.data.buffer);
  for (let k = 0; k < readings.length; k += 1) pixels[k] = colors[readings[k]];
  canvas.getContext("2d", { willReadFrequently: true, ...SPACE }).putImageData(picture, 0, 0);
};

/** A reading in words: metres, a place in the range of normalised depth, or that there is none. */
export const depthInWords = (reading, meaning, range) => {
  if (!reading) return "no reading";
  if (meaning?.kind === "metric" && meaning.unit_m) return `${(reading * meaning.unit_m).toFixed(3)} m`;
  const [near, far] = range ?? [0, 0];
  return `normalised ${far > near ? ((reading - near) / (far - near)).toFixed(2) : "0.00"}`;
};
