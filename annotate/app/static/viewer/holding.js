// A place of the viewer's own within a page: the page's styles end at its border, and its own stay inside.
import { make } from "./making.js";

const SHEET = new URL("../viewer.css", import.meta.url).href;

// The page says by data-theme on its root what it looks like, or leaves it to the system.
const followTheme = (root, signal) => {
  const page = document.documentElement, system = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => { root.dataset.theme = page.dataset.theme || (system.matches ? "dark" : "light"); };
  const watching = new MutationObserver(follow);
  watching.observe(page, { attributes: true, attributeFilter: ["data-theme"] });
  system.addEventListener("change", follow, { signal });
  signal.addEventListener("abort", () => watching.disconnect());
  follow();
};

/** Puts a root into an element; gives what holds it and a promise that its styles are there. */
export const holdIn = (element, root, signal) => {
  const holder = make("div"), sheet = make("link", "", { rel: "stylesheet", href: SHEET });
  Object.assign(holder.style, { display: "block", height: "100%", minWidth: "0" });
  root.style.visibility = "hidden";
  const styled = new Promise((done) => {
    for (const kind of ["load", "error"]) sheet.addEventListener(kind, done, { once: true });
  }).then(() => { root.style.visibility = ""; });
  const shadow = holder.attachShadow({ mode: "open" });
  shadow.append(sheet, root);
  element.replaceChildren(holder);
  followTheme(root, signal);
  return { holder, shadow, styled };
};
