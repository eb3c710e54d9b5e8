// How people decide the answer of a template, with a worked example.
import { call } from "./calling.js";
import { make } from "../viewer/making.js";

const KEPT = "mira guideline";
let asked = null;

/** All guidelines by template; asked for once. */
const guidelines = () => {
  asked ??= call("/api/guidelines").then((found) => new Map(found.guidelines.map((one) => [one.template_id, one]))).catch((error) => { asked = null; throw error; });
  return asked;
};
const isWanted = () => { try { return localStorage.getItem(KEPT) === "open"; } catch { return false; } };
const keepWanted = (value) => { try { localStorage.setItem(KEPT, value ? "open" : "closed"); } catch { /* for this question alone */ } };
const spoken = (word) => word.replaceAll("_", " ");

const meanings = (title, found) => (Object.keys(found).length === 0 ? [] : [make("details", "meanings", {}, make("summary", "", {}, title),
  make("dl", "", {}, ...Object.entries(found).flatMap(([word, told]) => [make("dt", "", {}, spoken(word)), make("dd", "", {}, told)])))]);

const content = (one) => [
  make("h3", "asks", {}, one.asks),
  make("ul", "rule", {}, ...one.rule.map((line) => make("li", "", {}, line))),
  ...meanings("What each answer means", one.answers), ...meanings("What each direction means", one.directions),
  make("section", "example", { "aria-label": "Worked example", "data-example": "" }, make("p", "example-name", {}, "Worked example"), make("p", "", {}, one.example.scene),
    make("p", "example-answer", {}, make("b", "", {}, one.example.answer), one.example.why)),
  make("p", "unsure", {}, make("b", "", {}, "Cannot be told? "), one.unsure),
];

/** A panel for a template; `toggle` and the button `opener` open and close it, for the next questions too. */
export const createGuidelines = (templateId) => {
  const name = make("span", "chip"), id = make("code", "soft");
  const close = make("button", "quiet", { type: "button", "aria-label": "Close" }, make("kbd", "", {}, "G"), "Close");
  const opener = make("button", "page opener", { type: "button", "data-open-guideline": "" }, make("kbd", "", {}, "G"), "How it is decided");
  const body = make("div", "guideline-body");
  const root = make("aside", "card guideline", { "aria-label": "Guideline" }, make("header", "card-head", {}, name, id, close), body);
  let shown = null;
  const show = async (wanted) => {
    shown = wanted;
    delete root.dataset.guideline;
    try {
      const found = (await guidelines()).get(wanted);
      if (shown !== wanted) return;
      name.textContent = found ? found.subtask : "Guideline";
      id.textContent = wanted;
      body.replaceChildren(...(found ? content(found) : [make("p", "soft", {}, "There is none for this template.")]));
      root.dataset.guideline = wanted;
    } catch (error) {
      body.replaceChildren(make("p", "fault", {}, error.message));
    }
  };
  const turn = (value) => {
    root.hidden = !value;
    opener.setAttribute("aria-pressed", String(value));
  };
  const toggle = () => {
    turn(root.hidden);
    keepWanted(!root.hidden);
  };
  for (const button of [close, opener]) button.addEventListener("click", toggle);
  turn(isWanted());
  show(templateId);
  return { root, opener, show, toggle };
};
