// The question that is being asked: its kind, its direction, its words in each way of pointing.
import { insist } from "../insisting.js";
import { optionRow } from "../question.js";
import { make } from "../../viewer/making.js";

const LIKED = "visual_bbox", KEPT = "mira protocol";
const WAITING_MS = 200;
const spoken = (word) => word.replaceAll("_", " ");
const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };

const kinds = (templates) => {
  const groups = new Map();
  for (const one of templates) groups.set(one.subtask, [...(groups.get(one.subtask) ?? []), one]);
  return [...groups].map(([name, ofIt]) => make("optgroup", "", { label: name }, ...ofIt.map((one) => make("option", "", { value: one.id }, `${one.id} · ${name}`))));
};

/** The card of a question; `on` has template, direction, protocol: each hears what is chosen; and say. */
export const createAsking = (sheet, on) => {
  const template = make("select", "grow", { "aria-label": "Kind of question", "data-template": "" }, ...kinds(sheet.templates));
  const direction = make("select", "", { "aria-label": "Direction", "data-direction": "" });
  const protocol = make("select", "", { "aria-label": "Way of pointing", "data-protocol": "" });
  const words = make("p", "words", { "data-question": "", "aria-live": "polite" });
  const options = make("ol", "options", { "data-options": "" });
  const root = make("section", "card question", {}, make("header", "card-head asking", {}, make("kbd", "", {}, "O"), template, direction, protocol), words, options);
  // What was asked for last is shown, whichever answer comes first.
  let asked = 0, current = null;
  const known = new Map();

  const clear = (text) => {
    current = null;
    delete root.dataset.shown;
    words.textContent = text;
    options.replaceChildren();
  };
  const showSentence = () => {
    const wording = current?.wordings.find((one) => one.protocol === protocol.value) ?? current?.wordings[0];
    words.textContent = wording?.question ?? "";
    options.replaceChildren(...(current?.options ?? []).map((option, k) => optionRow(current, wording, option, k)));
  };
  const showProtocols = () => {
    const wanted = protocol.value, has = current.wordings.map((one) => one.protocol);
    if (has.join() !== [...protocol.options].map((one) => one.value).join()) {
      protocol.replaceChildren(...current.wordings.map((one) => make("option", "", { value: one.protocol }, one.name)));
    }
    protocol.value = [kept(), LIKED, wanted, has[0]].find((one) => has.includes(one)) ?? "";
  };
  template.addEventListener("change", () => on.template(template.value));
  direction.addEventListener("change", () => on.direction(direction.value));
  protocol.addEventListener("change", () => {
    try { localStorage.setItem(KEPT, protocol.value); } catch { /* for this question alone */ }
    showSentence();
    on.protocol();
  });
  return {
    root,
    focus: () => template.focus(),
    /** Which way of asking is looked at. */
    wording: () => current?.wordings.find((one) => one.protocol === protocol.value) ?? null,
    /** Shows kind and direction of what is being put together. */
    showKind: (templateId, chosen) => {
      template.value = templateId;
      const { directions } = sheet.templateOf(templateId);
      if (directions.join() !== [...direction.options].map((one) => one.value).join()) direction.replaceChildren(...directions.map((one) => make("option", "", { value: one }, spoken(one))));
      direction.hidden = directions.length === 0;
      direction.value = chosen ?? "";
    },
    /** Shows a question, as it will be asked if it has an answer; tells once it stands there. */
    show: async (question, answer) => {
      asked += 1;
      const mine = asked, key = `${question.item_id} ${JSON.stringify(answer)}`;
      let found = known.get(key);
      if (!found) {
        // Words of another question do not stay over this one's answer.
        const waiting = setTimeout(() => { if (mine === asked && current?.item_id !== question.item_id) clear("…"); }, WAITING_MS);
        try {
          found = await insist("/api/author/question", { image_id: sheet.image_id, item_id: question.item_id, answer }, on.say);
        } finally { clearTimeout(waiting); }
        known.set(key, found);
      }
      if (mine !== asked) return false;
      current = found;
      showProtocols();
      showSentence();
      root.dataset.shown = question.item_id;
      return true;
    },
    /** Shows what is missing, in place of a question. */
    tell: (text) => {
      asked += 1;
      clear(text);
    },
    /** Words have changed: those that are known are no longer right. */
    forget: () => known.clear(),
  };
};
