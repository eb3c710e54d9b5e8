// The picture of a question: in the viewer, or as a model sees it.
import { make } from "../viewer/making.js";

const selectionOf = (task, seq) => ({ slots: task.marks.map(({ label, instance_id }) => ({ slot: label, instance_id })), seq });
const KEPT = "mira viewer";
const BARS_PX = 80;

const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; } };
const keep = (options) => { try { localStorage.setItem(KEPT, JSON.stringify(options)); } catch { /* for this question alone */ } };
/** Beside or below each other: whichever shows two pictures larger here. */
const roomiest = ({ width_px: width, height_px: height }, { clientWidth: wide, clientHeight: all }) => {
  const high = all - BARS_PX;
  return Math.min(wide / 2 / width, high / height) >= Math.min(wide / width, high / 2 / height) ? "side-by-side" : "stacked";
};

/** Pictures of a task; `protocol()` says which way of asking is looked at. */
export const createPictures = (task, protocol) => {
  const stage = make("div", "stage", { "data-stage": "" }), seen = make("div", "seen", { hidden: "" });
  const pages = [["viewer", "Picture"], ["model", "As a model sees it"]].map(([name, title]) => make("button", "page", { type: "button", "data-page": name }, title));
  const modality = make("select", "", { "aria-label": "Pictures", "data-modality": "" }, ...task.modalities.map((one) => make("option", "", { value: one.id }, one.name)));
  modality.value = task.modalities.at(-1)?.id ?? "rgb";
  const stale = task.scene.is_stale ? [make("p", "note", {}, "The annotation has changed since the question was made, so that its outlines are not shown.")] : [];
  const root = make("section", "pictures", {}, make("div", "pages", {}, ...pages, modality), ...stale, stage, seen);

  const viewer = globalThis.MiraViewer.mount(stage, {
    scene: task.scene,
    selection: selectionOf(task, 1),
    options: kept(),
    onOptions: keep,
    // Who reviews looks; what the question points at stays.
    onSelect: ({ seq }) => queueMicrotask(() => viewer.setSelection(selectionOf(task, seq + 1))),
  });
  const showSeen = () => {
    const wording = task.wordings.find((one) => one.protocol === protocol());
    const { has_depth: hasDepth } = task.modalities.find((one) => one.id === modality.value);
    const count = 1 + Number(wording.has_mask) + Number(hasDepth);
    const address = `/media/${encodeURIComponent(task.item_id)}/${wording.protocol}/${modality.value}`;
    seen.replaceChildren(...Array.from({ length: count }, (_, k) => {
      const image = make("img", "", { src: `${address}/${k}`, alt: `Picture ${k + 1} as a model sees it`, "data-seen": k });
      image.addEventListener("error", () => image.replaceWith(make("p", "note", {}, "This picture cannot be drawn.")));
      return image;
    }));
  };
  const turn = (name) => {
    root.dataset.page = name;
    for (const one of pages) one.setAttribute("aria-pressed", String(one.dataset.page === name));
    stage.hidden = name !== "viewer";
    seen.hidden = modality.hidden = name !== "model";
    if (name === "model") showSeen();
  };
  for (const one of pages) one.addEventListener("click", () => turn(one.dataset.page));
  modality.addEventListener("change", showSeen);
  turn("viewer");
  return {
    root,
    /** Once it has its place. */
    fit: () => { if (!kept().layout) viewer.setOptions({ layout: roomiest(task.scene, stage) }); },
    refresh: () => { if (!seen.hidden) showSeen(); },
    toggle: () => turn(root.dataset.page === "viewer" ? "model" : "viewer"),
    destroy: () => viewer.destroy(),
  };
};
