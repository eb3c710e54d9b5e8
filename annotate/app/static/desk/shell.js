// The bar above, the place for a page, and the line that tells what goes on.
import { make } from "../viewer/making.js";

const THEMES = { light: "dark", dark: "light" };
const KEPT = "mira theme";
const NEWS_MS = 8000;

const system = matchMedia("(prefers-color-scheme: dark)");
const wanted = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
const showTheme = () => { document.documentElement.dataset.theme = wanted() ?? (system.matches ? "dark" : "light"); };

/** The frame of all pages. */
export const createShell = (me, modes, on) => {
  const tabs = modes.map(([mode, name]) => make("a", "tab", { href: `#${mode}`, "data-mode": mode }, name));
  const progress = make("p", "progress", { "data-progress": "", "aria-live": "off" });
  const theme = make("button", "plain", { type: "button", title: "Light or dark", "aria-label": "Light or dark" }, "◐");
  const keys = make("button", "plain", { type: "button", title: "Keys (?)", "aria-label": "Keys", "data-help": "" }, "?");
  const out = make("form", "", { method: "post", action: "/logout" }, make("button", "plain", {}, "Sign out"));
  const news = make("p", "news", { role: "status", "data-news": "" });
  const main = make("main", "main");
  let fading = 0;
  const root = make("div", "desk", {},
    make("header", "top", {}, make("strong", "brand", {}, "MIRA"), make("nav", "tabs", {}, ...tabs), progress, keys, theme,
      make("span", "who", { title: me.role }, make("b", "", {}, me.name), ` ${me.role}`), out),
    news, main);

  keys.addEventListener("click", on.help);
  for (const tab of tabs) tab.addEventListener("click", () => { if (tab.hasAttribute("aria-current")) on.again(); });
  theme.addEventListener("click", () => {
    try { localStorage.setItem(KEPT, THEMES[document.documentElement.dataset.theme]); } catch { /* the system decides */ }
    showTheme();
  });
  system.addEventListener("change", showTheme);
  const follow = () => { root.dataset.theme = document.documentElement.dataset.theme ?? "light"; };
  new MutationObserver(follow).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  showTheme();
  follow();

  return {
    root, subtasks: me.subtasks,
    person: me.name,
    show: (page) => main.replaceChildren(page),
    /** Tells something in one line: "good", "bad" or plain. */
    say: (text, kind = "") => {
      news.textContent = text;
      news.dataset.kind = kind;
      clearTimeout(fading);
      if (kind !== "bad") fading = setTimeout(() => { news.textContent = ""; }, NEWS_MS);
    },
    /** How far the work is, in a few words; none with null. */
    tellProgress: (words) => { progress.textContent = words ? words.join(" · ") : ""; },
    turnedTo: (mode) => { for (const tab of tabs) tab.toggleAttribute("aria-current", tab.dataset.mode === mode); },
  };
};
