// Both pictures of a scene, decoded and drawn.
import { drawDepth, fetchDepth, rangeOf } from "./depth.js";

const loadColor = async (scene, { image, say }, signal) => {
  image.removeAttribute("src");
  if (!scene?.color_url) return;
  image.src = scene.color_url;
  try {
    await image.decode();
    signal.throwIfAborted();
    const { naturalWidth: width, naturalHeight: height } = image;
    if (width !== scene.width_px || height !== scene.height_px) {
      throw new Error(`the picture: expected ${scene.width_px} x ${scene.height_px}, found ${width} x ${height}`);
    }
  } catch (error) {
    if (signal.aborted) return;
    say("color", "The picture could not be shown.");
    throw error;
  }
};

const blank = (canvas) => Object.assign(canvas, { width: 1, height: 1 });

const loadDepth = async (scene, { canvas, say, showLegend }, signal) => {
  blank(canvas);
  if (!scene?.depth_url) {
    if (scene) say("depth", "This picture has no depth map.");
    return null;
  }
  try {
    const map = await fetchDepth(scene.depth_url, canvas, signal);
    signal.throwIfAborted();
    if (map.width !== scene.width_px || map.height !== scene.height_px) {
      throw new Error(`the depth map: expected ${scene.width_px} x ${scene.height_px}, found ${map.width} x ${map.height}`);
    }
    const range = scene.depth?.range ?? rangeOf(map.readings);
    drawDepth(map, range, canvas);
    showLegend(scene.depth, range);
    return { ...map, range };
  } catch (error) {
    if (signal.aborted) return null;
    blank(canvas);
    say("depth", "The depth map could not be shown.");
    throw error;
  }
};

/** Loads what a scene names; null if it was given up meanwhile. */
export const loadPictures = async (scene, panels, signal) => {
  panels.say("color", "");
  panels.say("depth", "");
  panels.showLegend(null, null);
  const [color, depth] = await Promise.allSettled([loadColor(scene, panels, signal), loadDepth(scene, panels, signal)]);
  if (signal.aborted || !scene) return null;
  for (const one of [color, depth]) if (one.reason) console.warn(String(one.reason));
  return { depth: depth.value ?? null, failed: [color, depth].some((one) => one.status === "rejected") };
};
