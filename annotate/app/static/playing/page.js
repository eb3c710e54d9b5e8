// People play what models play: a start, turn after turn, and a card when an episode is over.
import { call } from "../desk/calling.js";
import { insist } from "../desk/insisting.js";
import { make } from "../viewer/making.js";
import { createBoard } from "./board.js";
import { doneCard, overCard, pauseCard, startCard } from "./cards.js";
import { findKey } from "./keys.js";

const news = make("p", "news", { role: "status" });
const say = (text, kind = "") => { news.textContent = text; news.dataset.kind = kind; };

const start = async () => {
  const offer = await insist("/api/start", undefined, say);
  document.title = `${offer.title} · MIRA`;
  let card = null, isBusy = false, shown = null;

  const board = createBoard(offer, { press: (k) => press(k), pause: () => pause() });
  const root = make("div", "table", {}, board.root, news);
  document.body.replaceChildren(root);

  const show = (made) => {
    card?.root.remove();
    card = made;
    board.root.inert = card !== null;
    root.dataset.card = card?.name ?? "";
    if (!card) return;
    root.append(card.root);
    card.focus();
  };
  const settle = (busy) => { isBusy = busy; board.setBusy(busy); root.dataset.busy = busy ? "yes" : "no"; };

  // Words and pictures of a turn change together, once all of its pictures are there.
  const take = async (found) => {
    shown = null;
    if (found.turn) {
      const images = await board.load(found.turn, say);
      board.show(found.turn, images);
      shown = found.turn;
    } else if (!card || card.name !== "done") show(overCard(offer));
  };
  const look = async () => {
    settle(true);
    try {
      await take(await insist("/api/turn", undefined, say));
    } catch (error) { refused(error); return; }
    settle(false);
  };
  const press = async (button) => {
    if (isBusy || card || !shown) return;
    settle(true);
    say("");
    const { place, heard } = shown;
    board.mark(button);
    try {
      const found = await insist("/api/reply", { place, heard, button }, say);
      if (found.ended) { end(found.ended); return; }
      await take(found);
    } catch (error) { refused(error); return; }
    settle(false);
  };
  const end = (ended) => {
    const part = shown.part;
    // What comes next is fetched while the card is read.
    const next = ended.left ? look() : Promise.resolve();
    const go = async () => {
      await next;
      if (!ended.left) { show(overCard(offer)); return; }
      show(null);
      board.begin();
      if (shown && shown.part !== part) say("A new part begins: the task is told in other words. Read it again.");
    };
    show(doneCard(offer, ended, go));
  };
  const refused = (error) => {
    // Who this is has to be told anew; all else comes right with the page.
    say(error.message, "bad");
    settle(false);
    if (error.code === "not-asked" || error.code === "no-such-item") look();
    else if (error.code === "no-player") location.reload();
  };
  const pause = () => {
    if (card) return;
    show(pauseCard(offer, () => show(null)));
  };
  const begin = async (name) => {
    if (name !== null) {
      const found = await call("/api/join", { name });
      Object.assign(offer, { player: found.player, link: found.link });
    }
    show(null);
    say("");
    await look();
    board.begin();
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input")) return;
    if (event.key === "Escape" && (!card || card.name === "pause")) { if (card) show(null); else pause(); return; }
    if (card && event.key === "Enter" && !event.repeat && !event.target.matches?.("button")) { card.press(); return; }
    const button = findKey(offer.buttons, event.key);
    if (button === null || card) return;
    // The page does not scroll by keys that move.
    event.preventDefault();
    // Who holds a key down means one move.
    if (!event.repeat) press(button);
  });
  show(startCard(offer, begin));
  root.dataset.ready = "yes";
};

start().catch((error) => document.body.append(make("p", "", { role: "alert" }, error.message)));
