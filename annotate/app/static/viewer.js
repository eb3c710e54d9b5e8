// A picture beside its depth map, in which instances are chosen for the slots of a question.
//
// MiraViewer.mount(element, { scene, selection, options, onSelect, onHover, onActivate, onOptions })
// gives { setScene, setSelection, setOptions, focus, blur, destroy }; what they take is told in docs/viewer.md.
import { LAYOUT_NAMES, createBar } from "./viewer/bar.js";
import { holdIn } from "./viewer/holding.js";
import { listenToKeys } from "./viewer/keys.js";
import { loadPictures } from "./viewer/loading.js";
import { make } from "./viewer/making.js";
import { createPanels } from "./viewer/panels.js";
import { listenToPointer } from "./viewer/pointing.js";
import { instancesAt, regionAt, regionsOf } from "./viewer/regions.js";
import { createSelection } from "./viewer/selection.js";
import { tagFor, taggedAt } from "./viewer/tags.js";
import { describe, linkedIds } from "./viewer/telling.js";
import { createTip } from "./viewer/tip.js";
import { createView } from "./viewer/view.js";
import { depthInWords } from "./viewer/depth.js";

const DEFAULTS = { layout: "side-by-side", outlines: true, labels: true };
const SAME_SPOT_PX = 4;
const nothing = () => {};

/** Draws a viewer into an element, which gives it its size. */
export const mount = (element, { scene = null, selection = null, options = null, onSelect = nothing, onHover = nothing, onActivate = nothing, onOptions = nothing } = {}) => {
  const ended = new AbortController(), { signal } = ended;
  let current = null, regions = [], byKey = new Map(), shown = { ...DEFAULTS };
  let depth = null, loading = null, tags = [], placed = [], hot = null, walked = null, cycle = null, frame = 0, pointer = null, isMoved = false;

  const slots = createSelection({
    told: (choice) => onSelect(choice),
    activated: (move) => onActivate(move),
    changed: () => showSelection(),
  });
  const view = createView(() => { isMoved = true; refresh(); });
  const panels = createPanels();
  const tip = createTip();
  const bar = createBar({
    activate: (at) => slots.activate(at),
    setOption: (name, value) => { applyOptions({ [name]: value }); onOptions({ ...shown }); },
    zoom: (factor) => view.zoomAt(factor),
    fit: () => view.reset(),
  });
  panels.root.append(tip.root);
  for (const [name, value] of Object.entries({ tabindex: "0", role: "application", "aria-label": "Picture and depth map" })) panels.root.setAttribute(name, value);
  const root = make("div", "mira-viewer", {}, bar.top, panels.root, bar.bottom);
  const { holder, shadow, styled } = holdIn(element, root, signal);

  // --- Drawing, at most once a frame -----------------------------------------------------------
  const instance = (id) => byKey.get(`direct ${id}`) ?? byKey.get(`reflected ${id}`) ?? null;
  const draw = () => {
    frame = 0;
    const lines = hot && hot.kind !== "surface" ? linkedIds(current, hot.id).map(instance).filter(Boolean).map((one) => [view.toPanel(hot.anchor), view.toPanel(one.anchor)]) : [];
    placed = panels.place(view, tags, lines);
    bar.showZoom(view.zoom());
    // What is under a resting pointer changes with the view.
    if (isMoved && pointer) hover(pointer.panel, pointer.at);
    isMoved = false;
  };
  const refresh = () => { frame ||= requestAnimationFrame(draw); };
  const lettersOf = ({ kind, id }) => (kind === "surface" ? [] : slots.slots().filter((one) => one.instance_id === id).map((one) => one.slot));
  function showSelection() {
    bar.showSlots(slots.slots());
    tags = regions.map((one) => tagFor(one, lettersOf(one)));
    for (const { outlines } of panels.both) {
      outlines.setTags(tags);
      outlines.setChosen(current, regions, lettersOf);
      outlines.setHot(hot?.key ?? null, hotLinks());
    }
    refresh();
  }
  const hotLinks = () => (hot && hot.kind !== "surface" ? linkedIds(current, hot.id).map((id) => instance(id)?.key) : []);

  // --- Hovering and choosing --------------------------------------------------------------------
  const pixelAt = (at) => view.toPicture(at).map(Math.floor);
  const readingAt = ([x, y]) => (depth ? depthInWords(depth.readings[y * depth.width + x], current.depth, depth.range) : "");
  const isInPicture = ([x, y]) => x >= 0 && y >= 0 && x < view.picture.width && y < view.picture.height;
  const met = (at) => (shown.labels ? taggedAt(placed, at) : null) ?? regionAt(regions, ...view.toPicture(at));
  const tell = (name, value) => { if (value === "" || value === null) delete element.dataset[name]; else element.dataset[name] = value; };
  const setHot = (region) => {
    if (region === hot) return;
    hot = region;
    for (const { outlines } of panels.both) outlines.setHot(hot?.key ?? null, hotLinks());
    tell("hover", hot ? String(hot.id) : "");
    refresh();
    const isSurface = hot?.kind === "surface";
    onHover({ instance_id: hot && !isSurface ? hot.id : null, surface_id: isSurface ? hot.id : null });
  };
  const leave = () => {
    pointer = null;
    setHot(null);
    tip.hide();
    panels.cross(null, null);
    tell("depth", "");
    tell("pixel", "");
  };
  const tellOf = (panel, at, region) => {
    const pixel = pixelAt(at), reading = readingAt(pixel);
    setHot(region);
    tell("depth", reading);
    tell("pixel", pixel.join(","));
    panels.cross(panel, at);
    const more = instancesAt(regions, ...view.toPicture(at)).filter((one) => one !== region).length;
    const { offsetLeft: x, offsetTop: y } = panel.root, { clientWidth: width, clientHeight: height } = panels.root;
    tip.show({ about: region && describe(current, region), kind: region?.kind, depth: reading, pixel, more }, [at[0] + x, at[1] + y], { width, height });
  };
  const hover = (panel, at) => {
    if (!current || !isInPicture(pixelAt(at))) { leave(); return; }
    pointer = { panel, at };
    tellOf(panel, at, met(at));
  };
  const choose = (id) => {
    const at = slots.choose(id);
    bar.say(at < 0 ? "No slot is waiting for an instance" : "");
    return at;
  };
  // Each further Alt-click at a spot takes the next larger instance, for the same slot.
  const chooseNext = (at) => {
    const here = instancesAt(regions, ...view.toPicture(at));
    if (!here.length) return;
    const isSame = cycle && Math.hypot(cycle.at[0] - at[0], cycle.at[1] - at[1]) <= SAME_SPOT_PX && cycle.here.map((one) => one.key).join() === here.map((one) => one.key).join();
    if (!isSame) {
      const slot = choose(here[0].id);
      cycle = slot < 0 ? null : { at, here, slot, turn: 0 };
      return;
    }
    cycle.turn = (cycle.turn + 1) % here.length;
    slots.replace(cycle.slot, here[cycle.turn].id);
    bar.say(`${cycle.turn + 1} of ${here.length} under the pointer`);
  };
  const click = (panel, at, event) => {
    if (!at) {
      const id = event.target.closest("[data-instance]")?.dataset.instance;
      if (id) choose(Number(id));
      return;
    }
    if (event.altKey) { chooseNext(at); return; }
    cycle = null;
    const region = met(at);
    if (region && region.kind !== "surface") choose(region.id);
  };
  listenToPointer(panels.root, panels.panelOf, {
    hover, leave, click,
    pan: view.panBy,
    zoom: (factor, at) => { cycle = null; view.zoomAt(factor, at); },
    // Two quick clicks on an instance are two choices.
    reset: (panel, at) => { if ((met(at)?.kind ?? "surface") === "surface") view.reset(); },
  }, signal);

  // --- Keys -------------------------------------------------------------------------------------
  const typed = (id) => {
    if (instance(id)) choose(id);
    else bar.say(byKey.has(`surface ${id}`) ? `${id} is a surface` : `There is no instance ${id}`);
  };
  const walk = (by) => {
    const order = regions.filter((one) => one.kind !== "surface").sort((a, b) => a.id - b.id);
    if (!order.length) return;
    const from = order.indexOf(walked);
    walked = order[from < 0 ? (by > 0 ? 0 : order.length - 1) : (from + by + order.length) % order.length];
    leave();
    view.bringIn(walked.anchor);
    panels.shown().outlines.shapeOf(walked.key).focus({ preventScroll: true });
    tellOf(panels.shown(), view.toPanel(walked.anchor), walked);
  };
  panels.root.addEventListener("focusout", (event) => { if (!pointer && !panels.root.contains(event.relatedTarget)) leave(); }, { signal });
  listenToKeys(panels.root, {
    typed, walk,
    pending: (digits) => bar.say(digits && `${digits}_`),
    clear: () => { cycle = null; slots.clear(); },
    step: (by) => {
      cycle = null;
      if (slots.step(by)) return true;
      // The focus leaves from here: from within the drawing, browsers would begin anew.
      panels.root.focus({ preventScroll: true });
      return false;
    },
    press: () => {
      const id = shadow.activeElement?.closest("[data-instance]")?.dataset.instance;
      if (id) choose(Number(id));
      return Boolean(id);
    },
    zoom: (factor) => view.zoomAt(factor, pointer?.at),
    pan: view.panByShare,
    reset: view.reset,
  }, () => Math.max(2, ...regions.filter((one) => one.kind !== "surface").map((one) => String(one.id).length)), signal);

  // --- What the page around gives ---------------------------------------------------------------
  const fitPanels = () => {
    const { root: one } = panels.shown();
    view.setPanel(one.clientWidth, one.clientHeight);
    panels.tellOnce();
  };
  const applyOptions = (given) => {
    for (const [name, value] of Object.entries(given ?? {})) if (typeof value === typeof shown[name] && (name !== "layout" || LAYOUT_NAMES.includes(value))) shown[name] = value;
    root.dataset.layout = shown.layout;
    root.dataset.outlines = shown.outlines ? "shown" : "hidden";
    root.dataset.labels = shown.labels ? "shown" : "hidden";
    bar.showOptions(shown);
    leave();
    fitPanels();
  };
  const startLoading = () => {
    loading?.abort();
    loading = new AbortController();
    depth = null;
    const { signal: given } = loading;
    Promise.all([loadPictures(current, panels, given), styled]).then(([loaded]) => {
      if (!loaded || given.aborted) return;
      fitPanels();
      depth = loaded.depth;
      draw();
      if (loaded.failed) element.dataset.failed = current.image_id;
      else element.dataset.ready = current.image_id;
    });
  };
  const setScene = (wanted) => {
    const before = current;
    const isSame = before !== null && ["image_id", "color_url", "depth_url", "width_px", "height_px"].every((key) => before[key] === wanted?.[key]);
    if (panels.root.contains(shadow.activeElement)) panels.root.focus({ preventScroll: true });
    leave();
    current = wanted;
    cycle = walked = null;
    regions = regionsOf(current);
    byKey = new Map(regions.map((one) => [one.key, one]));
    for (const { outlines } of panels.both) outlines.setScene(current, regions, { width: current?.width_px ?? 1, height: current?.height_px ?? 1 });
    if (isSame) { showSelection(); return; }
    delete element.dataset.ready;
    delete element.dataset.failed;
    bar.say("");
    view.setPicture(current?.width_px ?? 1, current?.height_px ?? 1);
    view.reset();
    slots.forget();
    startLoading();
  };
  const resizing = new ResizeObserver(fitPanels);
  resizing.observe(panels.root);
  applyOptions(options);
  setScene(scene);
  slots.set(selection);

  return {
    setScene,
    setSelection: (given) => slots.set(given),
    setOptions: applyOptions,
    focus: () => panels.root.focus({ preventScroll: true }),
    blur: () => shadow.activeElement?.blur(),
    destroy: () => {
      ended.abort();
      loading?.abort();
      resizing.disconnect();
      cancelAnimationFrame(frame);
      holder.remove();
      for (const name of ["ready", "failed", "hover", "depth", "pixel"]) delete element.dataset[name];
    },
  };
};

globalThis.MiraViewer = Object.freeze({ mount });
