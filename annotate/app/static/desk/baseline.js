// The human baseline: people answer as a model would. Nobody is told whether an answer was right.
import { createAsked } from "./asked.js";
import { Refused, call, newToken } from "./calling.js";
import { createGallery } from "./gallery.js";
import { readSkipped, skip } from "./skipping.js";
import { createStart, isBegun, nameOf, readWay, setBegun } from "./starting.js";
import { createStopwatch } from "./stopwatch.js";
import { make } from "../viewer/making.js";

const KIND = "baseline";
const NOTHING = "No question waits for your answer. Questions come here when review has accepted them.";

/** The page of the baseline. */
export const createBaseline = ({ shell, keeper }) => {
  const root = make("div", "judging baseline", { "data-kind": KIND });
  let ways = null, asked = null, gallery = null, watch = null, itemId = null, isLeft = false;

  const clear = () => {
    gallery?.destroy();
    watch?.stop();
    asked = gallery = watch = itemId = null;
    delete root.dataset.ready;
  };
  const fill = (name, ...parts) => {
    root.replaceChildren(...parts);
    root.dataset.ready = name;
  };
  const empty = (text) => {
    clear();
    const again = make("button", "main-button", { type: "button" }, "Look again");
    again.addEventListener("click", () => next());
    const other = make("button", "quiet", { type: "button" }, "Change what is shown");
    other.addEventListener("click", () => begin());
    fill("nothing", make("div", "nothing", {}, make("p", "", {}, text), make("div", "send", {}, other, again)));
  };
  const begin = () => {
    clear();
    setBegun(null);
    const start = createStart(ways, () => next());
    asked = { press: start.press };
    fill("start", start.root);
  };
  const next = async () => {
    clear();
    try {
      const { question, share } = await call("/api/baseline/next", { ...readWay(ways), skipped: readSkipped(KIND) });
      if (isLeft) return;
      shell.tellProgress([`${share.mine.toLocaleString("en")} of ${share.items.toLocaleString("en")} answered by you`]);
      if (question) open(question);
      else empty(NOTHING);
    } catch (error) {
      if (!isLeft) empty(error.message);
    }
  };
  const open = (question) => {
    const token = newToken();
    itemId = question.item_id;
    watch = createStopwatch();
    gallery = createGallery(question, watch.start);
    const reply = async (answer) => {
      if (!gallery.isReady()) { asked.say("Wait for the pictures."); return; }
      const { item_id, shown, protocol, modality } = question;
      asked.setBusy(true);
      try {
        await keeper.reply({ item_id, shown, protocol, modality, answer, token, seconds: watch.seconds() });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (isLeft) return;
        if (error.code === "bad-answer") {
          asked.setBusy(false);
          asked.say(error.message);
          return;
        }
        shell.say(error.message, "bad");
        await next();
        return;
      }
      if (isLeft) return;
      shell.say("");
      await next();
    };
    const giveBack = async () => {
      asked.setBusy(true);
      skip(KIND, question.item_id);
      await call("/api/baseline/leave", { item_id: question.item_id }).catch((error) => shell.say(error.message, "bad"));
    };
    asked = createAsked(question, nameOf(ways, question), {
      send: reply,
      skip: async () => { shell.say("Skipped; it comes again later."); await giveBack(); if (!isLeft) await next(); },
      // What was seen in one way is not answered in another at once.
      change: async () => { await giveBack(); if (!isLeft) begin(); },
    });
    fill(question.item_id, gallery.root, asked.root);
  };

  const arrive = async () => {
    try {
      ways = await call("/api/baseline/ways");
      if (isLeft) return;
      if (isBegun()) await next();
      else begin();
    } catch (error) { if (!isLeft) shell.say(error.message, "bad"); }
  };
  arrive();
  return {
    root,
    press: (key, from) => {
      if (key.toLowerCase() !== "v" || !gallery) return asked?.press(key, from) ?? false;
      gallery.turn();
      return true;
    },
    leave: () => { isLeft = true; clear(); shell.tellProgress(null); },
  };
};
