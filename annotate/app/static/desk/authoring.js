// Authoring: what is asked of a picture is put together and answered, one picture after the other.
import { call } from "./calling.js";
import { createAnswering } from "./author/answering.js";
import { createPicking } from "./author/picking.js";
import { readSkipped, skip } from "./skipping.js";
import { make } from "../viewer/making.js";

const NOTHING = "No picture waits for your answers.";
const count = (value) => value.toLocaleString("en");

/** The page of authors, beginning with a certain picture if one is named. */
export const createAuthoring = ({ shell, keeper, outbox, imageId }) => {
  const root = make("div", "judging authoring", { "data-kind": "answer" });
  const picking = createPicking({ open: (id) => turnTo(id), say: shell.say });
  const visited = [];
  let catalogue = null, desk = null, isLeft = false, isTurning = false;

  const clear = () => {
    desk?.end();
    desk = null;
    delete root.dataset.ready;
  };
  const empty = (text) => {
    clear();
    const again = make("button", "main-button", { type: "button" }, "Look again");
    again.addEventListener("click", () => turnTo(null));
    root.replaceChildren(make("div", "nothing", {}, make("p", "", {}, text), again), picking.root);
    root.dataset.ready = "nothing";
  };
  const next = async (wanted, skipped) => {
    try {
      catalogue ??= await call("/api/author/catalogue");
      const { sheet, progress } = await call("/api/author/sheet", { image_id: wanted, skipped });
      if (isLeft) return;
      const isBegun = sheet?.questions.some((one) => one.mine || one.others);
      let more = 0;
      const tell = () => shell.tellProgress([`${count(progress.begun + Number(!isBegun && more > 0))} of ${count(progress.pictures)} pictures begun`, `${count(progress.mine)} answers by you`]);
      tell();
      if (!sheet) { empty(NOTHING); return; }
      if (visited.at(-1) !== sheet.image_id) visited.push(sheet.image_id);
      clear();
      desk = createAnswering(sheet, { catalogue, shell, keeper, outbox, told: (by) => { progress.mine += by; more += by; tell(); } });
      root.replaceChildren(...desk.parts, picking.root);
      desk.fit();
      root.dataset.ready = sheet.image_id;
    } catch (error) {
      if (!isLeft) empty(error.message);
    }
  };
  // What is on its way is this picture's: it is given back afterwards, and until then nothing more is said of it.
  const turnTo = async (wanted, skipped = []) => {
    if (isTurning) return;
    const left = desk?.imageId;
    isTurning = root.inert = true;
    clear();
    await Promise.all([outbox.settled(), keeper.settled()]);
    if (left && left !== wanted) await call("/api/leave", { kind: "answer", item_id: left }).catch(() => {});
    if (!isLeft) await next(wanted, skipped);
    isTurning = root.inert = false;
  };
  const onward = () => {
    if (desk) skip("answer", desk.imageId);
    turnTo(null, readSkipped("answer"));
  };
  const back = () => {
    const wanted = visited.at(desk ? -2 : -1);
    if (!wanted) { shell.say("This is the first picture of this visit."); return; }
    visited.length -= desk ? 2 : 1;
    turnTo(wanted);
  };
  const KEYS = { "]": onward, "[": back, "/": picking.show };

  turnTo(imageId);
  return {
    root,
    press: (key, from) => {
      if (isTurning) return false;
      // Behind the list of pictures nothing is answered.
      if (picking.isShown()) return key === "Escape" && picking.hide();
      if (KEYS[key]) { KEYS[key](); return true; }
      return desk?.press(key, from) ?? false;
    },
    pressControl: (key, isShift) => (!picking.isShown() && desk?.pressControl(key, isShift)) ?? false,
    leave: () => { isLeft = true; clear(); shell.tellProgress(null); },
  };
};
