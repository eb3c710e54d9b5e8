// Cards over the board: before it begins, between episodes, in a pause, at the end.
import { make } from "../viewer/making.js";
import { counted } from "./counting.js";
import { written } from "./keys.js";

const SECONDS_A_MOVE = 3;

const card = (name, title, parts, focused) => {
  const sheet = make("section", "sheet", { role: "dialog", "aria-modal": "true", "aria-label": title, "data-card": name }, make("p", "brand", {}, "MIRA"), make("h1", "", {}, title), ...parts);
  return { name, root: make("div", "veil", {}, sheet), focus: () => focused?.focus(), press: () => focused?.click() };
};
const mainButton = (text, done) => {
  const made = make("button", "main-button", { type: "button" }, text, make("kbd", "", {}, "Enter"));
  // Pressed twice, it goes on once.
  made.addEventListener("click", async () => {
    if (made.disabled) return;
    made.disabled = true;
    try { await done(); } finally { made.disabled = false; }
  });
  return made;
};
const backLink = (offer) => {
  if (!offer.link) return make("p", "soft", {}, "Open this address again to go on.");
  const address = new URL(offer.link, location.href).href;
  return make("div", "", {}, make("p", "soft", {}, `You are ${offer.player}. Open this page again in this browser to go on; in another, open your own link, and show it to nobody:`), make("code", "link", {}, address));
};
const keyList = ({ buttons }) => make("p", "key-list", {}, ...buttons.map(({ label, keys }) => make("span", "", {}, ...keys.map((key) => make("kbd", "", {}, written(key))), ` ${label}`)));
const howLong = ({ episodes, most_turns: most }) =>
  `${counted(episodes, "episode")} with ${counted(most, "move")} at most in all; at ${SECONDS_A_MOVE} seconds a move that is ${counted(Math.ceil((most * SECONDS_A_MOVE) / 60), "minute")}. Pause whenever you like.`;

/** Before the first episode; `begin(name)` may refuse a name. */
export const startCard = (offer, begin) => {
  const known = offer.player !== null;
  const fault = make("p", "fault", { role: "alert" });
  const name = make("input", "", { name: "name", type: "text", maxlength: "32", autocapitalize: "none", autocomplete: "off", spellcheck: "false", required: "" });
  const field = make("label", "", {}, "Code name, not your own: a-z, 0-9, - and _", name);
  const done = offer.episodes - offer.left;
  const button = make("button", "main-button", { type: "submit" }, known && done ? "Go on" : "Begin", make("kbd", "", {}, "Enter"));
  const form = make("form", "", {}, ...(known ? [make("p", "", {}, "You play as ", make("b", "", {}, offer.player), done ? `; ${done.toLocaleString("en")} of ${counted(offer.episodes, "episode")} are done.` : ".")] : [field]), fault, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    fault.textContent = "";
    try {
      await begin(known ? null : name.value.trim());
    } catch (error) {
      fault.textContent = error.message;
      name.focus();
    }
    button.disabled = false;
  });
  return card("start", offer.title, [
    ...offer.about.map((text) => make("p", "", {}, text)),
    keyList(offer),
    make("p", "soft", {}, howLong(offer)),
    make("p", "consent", {}, "Kept are your code name and your moves, and nothing else: no times, no address. They may be published as a human baseline. By beginning you agree; you may stop at any time."),
    form,
  ], known ? button : name);
};

/** An episode is over. */
export const doneCard = (offer, ended, go) => {
  const button = mainButton(ended.left ? "Next episode" : "Finish", go);
  const text = ended.success ? `Reached in ${counted(ended.turns, "move")}.` : `All ${counted(ended.turns, "move")} are spent.`;
  const done = offer.episodes - ended.left;
  const made = card("done", ended.success ? "Reached" : "Not reached", [
    make("p", "", {}, text),
    make("p", "soft", {}, `${done.toLocaleString("en")} of ${counted(offer.episodes, "episode")} done.`),
    button,
  ], button);
  made.root.dataset.success = ended.success ? "yes" : "no";
  return made;
};

/** A pause; nothing has to be saved. */
export const pauseCard = (offer, go) => {
  const button = mainButton("Go on", go);
  return card("pause", "Pause", [make("p", "", {}, "All of your moves are kept. You may close the window."), backLink(offer), button], button);
};

/** All is played. */
export const overCard = (offer) => card("over", "Thank you", [make("p", "", {}, `All ${counted(offer.episodes, "episode")} are done. You may close the window.`)], null);
