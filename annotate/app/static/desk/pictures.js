// The picture of a question: in the viewer, as a model sees it, or both.
import { make } from "../viewer/making.js";

const KEPT = "mira viewer", KEPT_PAGE = "mira page";
const BARS_PX = 80;
const PAGES = [["viewer", "Picture"], ["both", "Both"], ["model", "As a model sees it"]];
const NAMES = PAGES.map(([name]) => name);

const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; } };
const keep = (options) => { try { localStorage.setItem(KEPT, JSON.stringify(options)); } catch { /* for this question alone */ } };
const keptPage = (liked) => { try { return localStorage.getItem(`${KEPT_PAGE} ${liked}`) ?? liked; } catch { return liked; } };
const keepPage = (liked, name) => { try { localStorage.setItem(`${KEPT_PAGE} ${liked}`, name); } catch { /* as above */ } };
/** Beside or below each other: whichever shows two pictures larger here. */
const roomiest = ({ width_px: width, height_px: height }, { clientWidth: wide, clientHeight: all }) => {
  const high = all - BARS_PX;
  return Math.min(wide / 2 / width, high / height) >= Math.min(wide / width, high / 2 / height) ? "side-by-side" : "stacked";
};

/**
 * Pictures of a scene, and of a question about it.
 *
 * `seen()` gives `{ address, hasMask }` of what a model sees, or null while there is no question. Without
 * `onSelect` the slots are looked at and stay as they are. `liked` is the page that is shown at first,
 * `beside` goes into the row above.
 */
export const createPictures = ({ scene, modalities, slots, seen: asked, liked = "viewer", beside = [], onSelect = null, onActivate = () => {} }) => {
  const stage = make("div", "stage", { "data-stage": "" }), seen = make("div", "seen", { hidden: "" });
  const pages = PAGES.map(([name, title]) => make("button", "page", { type: "button", "data-page": name }, title));
  const modality = make("select", "", { "aria-label": "Pictures", "data-modality": "" }, ...modalities.map((one) => make("option", "", { value: one.id }, one.name)));
  modality.value = modalities.at(-1)?.id ?? "rgb";
  const stale = scene.is_stale ? [make("p", "note", {}, "The annotation has changed since the question was made, so that its outlines are not shown.")] : [];
  const root = make("section", "pictures", {}, make("div", "pages", {}, ...pages, modality, ...beside), ...stale, stage, seen);

  const viewer = globalThis.MiraViewer.mount(stage, {
    scene,
    selection: { slots, seq: 1 },
    options: kept(),
    onOptions: keep,
    onActivate,
    // Who only looks changes nothing.
    onSelect: onSelect ?? (({ seq }) => queueMicrotask(() => viewer.setSelection({ slots, seq: seq + 1 }))),
  });
  let shown = null;
  const showSeen = () => {
    const found = asked();
    const { has_depth: hasDepth } = modalities.find((one) => one.id === modality.value);
    const addresses = found ? Array.from({ length: 1 + Number(found.hasMask) + Number(hasDepth) }, (_, k) => `${found.address}/${modality.value}/${k}`) : [];
    if (shown === addresses.join()) return;
    shown = addresses.join();
    // The picture before stays until the next one is there, so that nothing flickers.
    const before = [...seen.querySelectorAll("img")];
    seen.replaceChildren(...addresses.map((src, k) => {
      const image = before[k] ?? make("img");
      for (const [name, value] of Object.entries({ src, alt: `Picture ${k + 1} as a model sees it`, "data-seen": k })) image.setAttribute(name, value);
      image.onerror = () => { image.replaceWith(make("p", "note", {}, "This picture cannot be drawn.")); shown = null; };
      return image;
    }), ...(found ? [] : [make("p", "note", {}, "Choose a question; here is what a model will see of it.")]));
  };
  const turn = (name) => {
    root.dataset.page = name;
    for (const one of pages) one.setAttribute("aria-pressed", String(one.dataset.page === name));
    stage.hidden = name === "model";
    seen.hidden = modality.hidden = name === "viewer";
    if (name !== "viewer") showSeen();
  };
  const choose = (name) => { keepPage(liked, name); turn(name); };
  for (const one of pages) one.addEventListener("click", () => choose(one.dataset.page));
  modality.addEventListener("change", showSeen);
  const first = keptPage(liked);
  turn(NAMES.includes(first) ? first : liked);
  return {
    root,
    /** Once it has its place. */
    fit: () => { if (!kept().layout) viewer.setOptions({ layout: roomiest(scene, stage) }); },
    refresh: () => { if (!seen.hidden) showSeen(); },
    /** Turns to the next page. */
    toggle: () => choose(NAMES[(NAMES.indexOf(root.dataset.page) + 1) % NAMES.length]),
    focus: () => viewer.focus(),
    blur: () => viewer.blur(),
    setSelection: (selection) => viewer.setSelection(selection),
    destroy: () => viewer.destroy(),
  };
};
