// Reviewing and settling: one question after the other.
import { Refused, call, newToken } from "./calling.js";
import { createWhich, readWhich } from "./choosing.js";
import { createForm } from "./form.js";
import { createGuidelines } from "./guidelines.js";
import { createPictures } from "./pictures.js";
import { createQuestion } from "./question.js";
import { createRemarks } from "./remarks.js";
import { readSkipped, skip } from "./skipping.js";
import { createVerdicts } from "./verdicts.js";
import { make } from "../viewer/making.js";

const NOTHING = { review: "Nothing waits for your review.", adjudicate: "No dispute waits for you." };
const count = (value) => value.toLocaleString("en");

/** The page of a kind of work, beginning with a certain question if one is named. */
export const createJudging = (kind, { shell, keeper, itemId }) => {
  const root = make("div", "judging", { "data-kind": kind });
  let form = null, pictures = null, guide = null, remarks = null, isLeft = false;

  const clear = () => {
    pictures?.destroy();
    form = pictures = guide = remarks = null;
    delete root.dataset.ready;
  };
  // The question that is here is given back, if another kind is wanted.
  const which = () => createWhich(kind, shell.subtasks, async () => {
    const left = root.dataset.ready;
    if (left && left !== "nothing") await call("/api/leave", { kind, item_id: left }).catch(() => {});
    next();
  });
  const empty = (text) => {
    clear();
    const again = make("button", "main-button", { type: "button" }, "Look again");
    again.addEventListener("click", () => next());
    root.replaceChildren(make("div", "nothing", {}, make("p", "", {}, text), which(), again));
    root.dataset.ready = "nothing";
  };
  const next = async (wanted = null) => {
    try {
      const { task, progress } = await call("/api/task", { kind, item_id: wanted, skipped: readSkipped(kind), ...readWhich(kind) });
      if (isLeft) return;
      shell.tellProgress([`${count(progress.settled)} of ${count(progress.items)} settled`, `${count(progress.disputed)} disputed`, `${count(progress.mine)} judged by you`]);
      if (task) open(task);
      else empty(Object.keys(readWhich(kind)).length ? "Nothing of this kind waits for you." : NOTHING[kind]);
    } catch (error) {
      if (!isLeft) empty(error.message);
    }
  };
  const open = (task) => {
    clear();
    const token = newToken();
    const draft = keeper.draftOf(task);
    const keep = (content) => keeper.keepDraft({ kind, item_id: task.item_id, content });
    const question = createQuestion(task, () => { form.refresh(); pictures.refresh(); });
    const send = async (state) => {
      const edit = state.verdict === "accepted" && (state.answer || Object.keys(state.wordings).length) ? { answer: state.answer, wordings: state.wordings } : null;
      form.setBusy(true);
      try {
        await keeper.judge({ kind, item_id: task.item_id, shown: task.shown, token, verdict: state.verdict, reason: state.reason, doubts: state.doubts, edit });
        if (isLeft) return;
        shell.say(state.verdict === "accepted" ? "Accepted." : "Rejected.", "good");
        await next();
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        if (isLeft) return;
        if (error.code === "changed") {
          shell.say("The question has changed meanwhile; look at it again.", "bad");
          await next(task.item_id);
          return;
        }
        form.setBusy(false);
        form.say(error.message);
      }
    };
    const leave = async () => {
      skip(kind, task.item_id);
      form.setBusy(true);
      shell.say("Skipped; it comes again later.");
      await call("/api/leave", { kind, item_id: task.item_id }).catch((error) => shell.say(error.message, "bad"));
      await next();
    };
    form = createForm(task, question, draft.content, { changed: keep, send, skip: leave });
    guide = createGuidelines(task.template_id);
    pictures = createPictures({
      beside: [which(), guide.opener],
      scene: task.scene,
      modalities: task.modalities,
      slots: task.marks.map(({ label, instance_id }) => ({ slot: label, instance_id })),
      seen: () => {
        const { protocol, has_mask: hasMask } = question.wording();
        return { address: `/media/${encodeURIComponent(task.item_id)}/${protocol}`, hasMask };
      },
    });
    const take = ({ verdict, doubts, answer, wordings }) => form.update({ verdict, doubts, answer: answer && withoutFormat(answer), wordings });
    const said = task.verdicts.length ? [createVerdicts(task, take)] : [];
    remarks = createRemarks({ imageId: task.image_id, itemId: () => task.item_id, shell, kind });
    pictures.root.append(guide.root);
    const side = make("div", "side", {}, make("div", "scroll", {}, question.root, ...said, remarks.root, question.why), form.root);
    root.replaceChildren(pictures.root, side);
    pictures.fit();
    root.dataset.ready = task.item_id;
    if (draft.isUnsent) keep(draft.content);
  };

  next(itemId);
  return {
    root,
    press: (key, from) => {
      if (key === "Escape" && guide && !guide.root.hidden) { guide.toggle(); return true; }
      const pages = { v: pictures, g: guide };
      if (!(key.toLowerCase() in pages)) return remarks?.press(key) || (form?.press(key, from) ?? false);
      pages[key.toLowerCase()]?.toggle();
      return true;
    },
    leave: () => { isLeft = true; clear(); shell.tellProgress(null); },
  };
};

const withoutFormat = ({ format: _, ...fields }) => fields;
