// The turn that is played: pictures, words as a model gets them, buttons.
import { later } from "../desk/calling.js";
import { make } from "../viewer/making.js";
import { counted } from "./counting.js";
import { written } from "./keys.js";

const AGAIN_MS = 1000;

/** The board of an offer; `press(k)` is called with the number of a button. */
export const createBoard = (offer, { press, pause }) => {
  const place = make("b", "", { "data-place": "" });
  const part = make("span", "soft", { "data-part": "" });
  const left = make("span", "left", { "data-left": "" });
  const meter = make("i");
  const pausing = make("button", "quiet", { type: "button", title: "Pause (Esc)" }, "Pause");
  pausing.addEventListener("click", pause);
  const top = make("header", "top", {}, make("b", "brand", {}, "MIRA"), place, part, make("span", "meter", { "aria-hidden": "true" }, meter), left, pausing);

  const pictures = make("section", "pictures", { "aria-label": "Pictures" });
  const task = make("div", "words", { "data-task": "", tabindex: "0" });
  const since = make("div", "words since", { "data-since": "", "aria-live": "polite", tabindex: "0" });
  // Where there is little room, a part of the task is shown until all of it is asked for.
  const all = make("button", "all", { type: "button", "aria-expanded": "false" }, "Show all");
  const taskCard = make("section", "card task", {}, make("h2", "", {}, "What you are told", all), task);
  all.addEventListener("click", () => {
    const isOpen = taskCard.toggleAttribute("data-open");
    all.setAttribute("aria-expanded", String(isOpen));
    all.textContent = isOpen ? "Show less" : "Show all";
  });
  const sinceCard = make("section", "card so-far", {}, make("h2", "", {}, "So far"), since);
  const buttons = offer.buttons.map(({ label, keys }, k) => {
    const made = make("button", "move", { type: "button", "data-move": label.toLowerCase() }, make("span", "", {}, label), make("span", "keys", {}, ...keys.map((key) => make("kbd", "", {}, written(key)))));
    made.addEventListener("click", (event) => {
      // The second click of a double click is none.
      if (event.detail < 2) press(k);
      // After a hand, keys are for the game again.
      if (event.detail > 0) made.blur();
    });
    return made;
  });
  const pad = make("section", "pad", { "aria-label": "Replies" }, ...buttons);
  const hint = make("p", "hint soft", {}, "A key or a button replies for you, in the form that is asked for.");
  const side = make("aside", "side", {}, taskCard, sinceCard, make("div", "card replies", {}, pad, hint));
  const root = make("main", "board", {}, top, pictures, side);

  const loadOne = async (digest, k, count, say) => {
    const image = make("img", "", { alt: count > 1 ? `Picture ${k + 1} of ${count}` : "The picture" });
    let wasUnheard = false;
    for (;;) {
      image.src = `/api/pictures/${digest}`;
      try {
        await image.decode();
        if (wasUnheard) say("Connected again; all is kept.", "good");
        return image;
      } catch {
        const found = await fetch(image.src).catch(() => null);
        // Another window may have gone on, so that the server has it no more.
        if (found?.status === 404) throw Object.assign(new Error("Another window has gone on."), { code: "not-asked" });
        wasUnheard = true;
        say("The server does not answer. The picture is asked for again.", "bad");
        await later(AGAIN_MS);
      }
    }
  };
  return {
    root,
    /** The pictures of a turn, once all are there. */
    load: (turn, say) => Promise.all(turn.pictures.map((digest, k) => loadOne(digest, k, turn.pictures.length, say))),
    /** Shows a turn, words and pictures at once. */
    show: (turn, images) => {
      pictures.replaceChildren(...images);
      task.textContent = turn.task;
      // What became of the last turn stands out.
      const lines = turn.since.split("\n"), last = lines.pop();
      since.replaceChildren(lines.length ? `${lines.join("\n")}\n` : "", make("b", "", {}, last));
      sinceCard.hidden = turn.since === "";
      since.scrollTop = since.scrollHeight;
      place.textContent = `Episode ${turn.place + 1} of ${offer.episodes}`;
      part.textContent = turn.parts > 1 ? `part ${turn.part} of ${turn.parts}` : "";
      const rest = turn.turns - turn.heard;
      left.textContent = `${counted(rest, "move")} left`;
      meter.style.width = `${(100 * rest) / turn.turns}%`;
      root.dataset.turn = `${turn.place}.${turn.heard}`;
    },
    /** An episode begins: its task is read from the top. */
    begin: () => { task.scrollTop = 0; taskCard.scrollIntoView({ block: "nearest" }); scrollTo(0, 0); },
    /** Which button was pressed. */
    mark: (k) => buttons.forEach((one, n) => { if (n === k) one.dataset.pressed = ""; else delete one.dataset.pressed; }),
    setBusy: (busy) => {
      root.setAttribute("aria-busy", String(busy));
      // Not `disabled`, which would take the focus away.
      for (const one of buttons) {
        one.setAttribute("aria-disabled", String(busy));
        if (!busy) delete one.dataset.pressed;
      }
    },
  };
};
