// One picture: its questions are put together by clicks or taken from a list, and answered.
import { Refused } from "../calling.js";
import { createGuidelines } from "../guidelines.js";
import { createPictures } from "../pictures.js";
import { createRemarks } from "../remarks.js";
import { createAnswerForm } from "./answer_form.js";
import { createAsking } from "./asking.js";
import { createDescribing } from "./describing.js";
import { createHistory } from "./history.js";
import { createList } from "./list.js";
import { createSaying } from "./saying.js";
import { createSheet } from "./sheet.js";
import { blankWork, readWork, slotsOf, withPending } from "./work.js";
import { make } from "../../viewer/making.js";

const REST_MS = 300;

/** What somebody does with one picture; `parts` are what is shown of it, `told(n)` hears of n more answers. */
export const createAnswering = (given, { catalogue, shell, keeper, outbox, told }) => {
  const sheet = createSheet(given, catalogue.templates);
  const { image_id: imageId } = sheet;
  const draft = keeper.draftOf({ kind: "answer", item_id: imageId, draft: given.draft, draft_seq: given.draft_seq });
  let work = draft.content ? readWork(draft.content, sheet) : blankWork(sheet);
  let seq = 1, isEnded = false;

  const question = () => sheet.byId.get(work.item_id) ?? null;
  const keep = () => keeper.keepDraft({ kind: "answer", item_id: imageId, content: JSON.stringify(work) });
  const history = createHistory(() => form.showHistory(history.counts()));

  const saying = createSaying(sheet, { outbox, shell, told, changed: () => show() });
  const { send } = saying;

  const show = () => {
    const one = question();
    const found = one ? {} : sheet.find(work.template_id, work.direction, work.slots);
    asking.showKind(work.template_id, work.direction);
    form.show(one, one && sheet.templateOf(one.template_id), work.pending[work.item_id]);
    list.show(work);
    if (guide.root.dataset.guideline !== work.template_id) guide.show(work.template_id);
    lookAtRemarks();
    if (one) preview(one);
    else {
      asking.tell(found.why ?? "Click what the question is about: each click fills a slot.");
      pictures.refresh();
    }
  };
  // Remarks are read once somebody stays with a question.
  let remarked = null, resting = 0;
  const lookAtRemarks = () => {
    if (remarked === work.item_id) return;
    remarked = work.item_id;
    clearTimeout(resting);
    resting = setTimeout(remarks.refresh, REST_MS);
  };
  const preview = async (one) => {
    const answer = form.whole();
    // Pictures are asked for beside the words; most questions are asked in the same ways.
    if (asking.wording()) pictures.refresh();
    try {
      if (await asking.show(one, answer) && !isEnded) pictures.refresh();
    } catch (error) {
      if (!(error instanceof Refused)) shell.say(error.message, "bad");
      // The words of the question before are none of this one's.
      if (one === question()) asking.tell(error.message);
    }
  };
  const showSlots = (active = null) => {
    seq += 1;
    pictures.setSelection({ slots: Object.entries(work.slots).map(([slot, id]) => ({ slot, instance_id: id, ...(slot === active ? { active: true } : {}) })), seq });
  };
  const setWork = (wanted, { isFromViewer = false } = {}) => {
    work = wanted;
    keep();
    if (!isFromViewer) showSlots();
    show();
  };
  // Each change can be undone.
  const change = (wanted, { kind = null, isFromViewer = false } = {}) => {
    const before = work;
    setWork(wanted, { isFromViewer });
    history.add({ undo: () => setWork(before), redo: () => setWork(wanted), kind });
  };
  const settled = (wanted) => {
    const { question: found } = sheet.find(wanted.template_id, wanted.direction, wanted.slots);
    return { ...wanted, item_id: found?.item_id ?? null };
  };
  const open = (id) => {
    const one = sheet.byId.get(id);
    return { ...work, item_id: id, template_id: one.template_id, direction: one.direction ?? null, slots: { ...slotsOf(sheet.templateOf(one.template_id)), ...one.slots } };
  };

  const asking = createAsking(sheet, {
    template: (id) => {
      const { directions } = sheet.templateOf(id);
      change(settled({ ...work, template_id: id, direction: directions.includes(work.direction) ? work.direction : directions[0] ?? null, slots: sheet.kept(id, work.slots) }));
    },
    direction: (value) => change(settled({ ...work, direction: value })),
    protocol: () => pictures.refresh(),
    say: shell.say,
  });
  const list = createList(sheet, {
    filter: (name) => setWork({ ...work, filter: name }),
    only: (value) => setWork({ ...work, only: value }),
    open: (id) => change(open(id)),
  });
  const step = (by) => {
    const found = sheet.listed(work.filter, work.only ? work.template_id : null);
    const at = found.findIndex((one) => one.item_id === work.item_id);
    const wanted = found[at < 0 ? 0 : at + by];
    if (wanted) change(open(wanted.item_id));
    else shell.say(found.length ? "There is no further question in the list. ] goes to the next picture." : "The list is empty. ] goes to the next picture.");
  };
  // What comes after a question, once it has left the list or stays.
  const afterwards = (id) => {
    const before = sheet.listed(work.filter, work.only ? work.template_id : null);
    const at = before.findIndex((one) => one.item_id === id);
    return () => {
      const now = sheet.listed(work.filter, work.only ? work.template_id : null);
      const later = before.slice(at + 1).find((one) => now.includes(one)) ?? now.find((one) => one.item_id !== id);
      return later?.item_id ?? null;
    };
  };
  const say = (id, said) => {
    const before = { work, mine: sheet.byId.get(id).mine };
    const next = afterwards(id);
    const { [id]: _, ...pending } = work.pending;
    send(id, said);
    const wanted = next();
    const after = { ...(wanted ? open(wanted) : work), pending };
    setWork(after);
    history.add({
      undo: () => { send(id, before.mine); setWork(before.work); },
      redo: () => { send(id, said); setWork(after); },
    });
    shell.say(said ? `Saved: ${said.words}.` : "Taken back.", "good");
  };
  const wordsOf = (one, answer) => (answer.value === undefined ? Object.values(answer).join(", ") : answer.text ? `${answer.value}: ${answer.text}` : String(answer.value)).replaceAll("_", " ");
  const save = () => {
    const one = question();
    if (!one) return;
    const answer = form.whole(), isNew = one.item_id in work.pending;
    if (!answer) { form.say(one.proposal?.answer && !one.proposal.close_call ? "Answer first, or take the proposal with P." : "Answer first."); return; }
    if (!isNew && one.mine) { step(1); return; }
    const note = work.pending[one.item_id]?.note ?? one.mine?.note ?? null;
    say(one.item_id, { answer, note, words: wordsOf(one, answer) });
  };
  const take = () => {
    const one = question(), proposal = one?.proposal;
    if (!proposal?.answer) { if (one) form.say("There is no proposal to take."); return; }
    // What is close is looked at: it is filled in and waits to be saved.
    if (proposal.close_call) change(withPending(work, one.item_id, { answer: proposal.answer }));
    else say(one.item_id, { answer: proposal.answer, note: work.pending[one.item_id]?.note ?? null, words: proposal.words });
  };
  const takeBack = () => { if (question()?.mine) say(work.item_id, null); };
  const undo = () => { if (history.undo()) shell.say("Undone."); };
  const redo = () => { if (history.redo()) shell.say("Done again."); };
  const form = createAnswerForm({ axes: catalogue.axes, isProposed: sheet.isProposed }, {
    answer: (answer) => change(withPending(work, work.item_id, { answer }), { kind: `answer ${work.item_id}` }),
    note: (note) => change(withPending(work, work.item_id, { note }), { kind: `note ${work.item_id}` }),
    save, take, takeBack,
    undo, redo,
  });
  const describe = (id, text) => {
    const before = describing.textOf(id);
    const put = (value) => {
      const was = describing.textOf(id);
      describing.set(id, value);
      outbox.add("/api/author/description", { image_id: imageId, instance_id: id, text: value }, {
        done: () => { asking.forget(); if (!isEnded) show(); },
        refused: (error) => {
          shell.say(error.message, "bad");
          if (describing.textOf(id) === value) describing.set(id, was);
        },
      });
    };
    put(text);
    history.add({ undo: () => put(before), redo: () => put(text) });
  };
  const describing = createDescribing(sheet, { described: describe });
  const guide = createGuidelines(work.template_id);
  const remarks = createRemarks({ imageId, itemId: () => work.item_id, shell });
  const pictures = createPictures({
    beside: [guide.opener],
    scene: sheet.scene,
    modalities: sheet.modalities,
    slots: [],
    liked: "both",
    seen: () => {
      const one = question(), wording = asking.wording();
      return one && wording ? { address: `/media/${encodeURIComponent(imageId)}/asked/${encodeURIComponent(one.item_id)}/${wording.protocol}`, hasMask: wording.has_mask } : null;
    },
    onSelect: ({ slot, instance_id: id, seq: given }) => {
      seq = Math.max(seq, given);
      change(settled({ ...work, slots: { ...work.slots, [slot]: id } }), { isFromViewer: true });
      // What is asked is clear: keys answer it.
      if (question()) pictures.blur();
    },
  });
  const KEYS = {
    p: take, r: takeBack, j: () => step(1), k: () => step(-1), o: asking.focus, l: list.focus,
    i: () => describing.open(Object.values(work.slots).find((id) => id !== null)), v: pictures.toggle, g: guide.toggle, ".": pictures.focus, Enter: save,
  };
  pictures.root.append(guide.root);
  showSlots();
  show();
  form.showHistory(history.counts());
  if (draft.isUnsent) keep();

  return {
    imageId,
    parts: [pictures.root, make("div", "side", {}, asking.root, form.root, make("div", "scroll", {}, list.root, describing.root, remarks.root, make("p", "soft id", {}, imageId)))],
    fit: pictures.fit,
    press: (key, from) => {
      const name = key.length === 1 ? key.toLowerCase() : key;
      if (name === "Escape" && !guide.root.hidden) { guide.toggle(); return true; }
      if (name === "Enter" && from.matches?.("button, a, summary")) return false;
      if (form.press(name) || remarks.press(name)) return true;
      KEYS[name]?.();
      return name in KEYS;
    },
    pressControl: (key, isShift) => {
      if (key === "y" || (key === "z" && isShift)) redo();
      else if (key === "z") undo();
      return key === "y" || key === "z";
    },
    end: () => { isEnded = true; clearTimeout(resting); saying.end(); pictures.destroy(); },
  };
};
