// What is chosen before somebody answers: how questions point at objects, and which pictures are shown.
import { make } from "../viewer/making.js";

const KEPT = "mira baseline";
const BEGUN = "mira baseline begun";
const LIKED = { protocol: "visual_bbox", modality: "rgb_d" };

const kept = () => { try { return JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { return {}; } };
const keep = (way) => { try { localStorage.setItem(KEPT, JSON.stringify(way)); } catch { /* chosen anew next time */ } };
const ofList = (list, wanted, liked) => (list.some((one) => one.id === wanted) ? wanted : liked);
/** What this window has begun with; null before. */
const begunWith = () => { try { return JSON.parse(sessionStorage.getItem(BEGUN)); } catch { return null; } };

/** What was chosen, or what is usual. */
export const readWay = (ways) => {
  const found = begunWith() ?? kept();
  return { protocol: ofList(ways.protocols, found.protocol, LIKED.protocol), modality: ofList(ways.modalities, found.modality, LIKED.modality) };
};

/** A way in words. */
export const nameOf = (ways, { protocol, modality }) =>
  [ways.protocols.find((one) => one.id === protocol), ways.modalities.find((one) => one.id === modality)].map((one) => one?.name ?? "").join(" · ");

/** Whether this window has begun to answer. */
export const isBegun = () => begunWith() !== null;
/** Notes what it begins with; null ends it. */
export const setBegun = (way) => {
  try {
    if (way) sessionStorage.setItem(BEGUN, JSON.stringify(way));
    else sessionStorage.removeItem(BEGUN);
  } catch { /* it is asked again */ }
};

/** The card to begin at; `begun()` hears when. */
export const createStart = (ways, begun) => {
  const now = readWay(ways);
  const select = (name, label, list) => {
    const made = make("select", "", { "aria-label": label, "data-choose": name }, ...list.map((one) => make("option", "", { value: one.id }, one.name)));
    made.value = now[name];
    return make("label", "field", {}, make("span", "", {}, label), made);
  };
  const button = make("button", "main-button", { type: "button", "data-begin": "" }, "Begin ", make("kbd", "", {}, "⏎"));
  const root = make("section", "card start", {},
    make("h2", "", {}, "Answer as a model would"),
    make("p", "", {}, "You get what a model gets: the same pictures, the same words, the same options. Answer what you see; nothing tells whether it was right."),
    make("p", "soft", {}, "Work alone, and guess where you are not sure. Questions that you made or reviewed do not come to you."),
    make("div", "chosen", {}, select("protocol", "Questions point by", ways.protocols), select("modality", "Pictures", ways.modalities)),
    make("p", "soft", {}, "Stay with one choice for a whole set; it is kept with every answer. Where no depth was measured, there is no depth picture."),
    button);
  const begin = () => {
    const chosen = Object.fromEntries([...root.querySelectorAll("select")].map((one) => [one.dataset.choose, one.value]));
    keep(chosen);
    setBegun(chosen);
    begun();
  };
  button.addEventListener("click", begin);
  return {
    root,
    press: (key, from) => {
      if (key !== "Enter" || from.matches?.("button, a")) return false;
      begin();
      return true;
    },
  };
};
