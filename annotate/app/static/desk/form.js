// What somebody says of a question: verdict, doubts, reason, corrections.
import { createCorrection } from "./correcting.js";
import { make } from "../viewer/making.js";

const DOUBTS = [["wording", "Wording"], ["answer", "Answer"], ["options", "Options"], ["several_right", "Several right"]];
const LONGEST_REASON = 4000;

const blank = () => ({ verdict: null, doubts: [], reason: "", answer: null, wordings: {} });

/** What a draft says; anything else in it is left out. */
const readDraft = (content) => {
  let found;
  try { found = JSON.parse(content); } catch { return blank(); }
  if (typeof found !== "object" || found === null) return blank();
  const text = (value) => (typeof value === "string" ? value : "");
  const wordings = Object.entries(found.wordings ?? {}).filter(([, value]) => typeof value === "string");
  return {
    verdict: ["accepted", "rejected"].includes(found.verdict) ? found.verdict : null,
    doubts: DOUBTS.map(([id]) => id).filter((id) => Array.isArray(found.doubts) && found.doubts.includes(id)),
    reason: text(found.reason).slice(0, LONGEST_REASON),
    answer: typeof found.answer === "object" ? found.answer : null,
    wordings: Object.fromEntries(wordings),
  };
};

/** The form of a task; `changed(content)` hears every change, `send` and `skip` what is pressed. */
export const createForm = (task, question, draft, { changed, send, skip }) => {
  let state = draft ? readDraft(draft) : blank(), isBusy = false;
  const choice = (verdict, key, name) => make("button", `choice ${verdict}`, { type: "button", "data-verdict": verdict, "aria-pressed": "false" }, make("kbd", "", {}, key), name);
  const choices = [choice("accepted", "A", "Accept"), choice("rejected", "R", "Reject")];
  const boxes = DOUBTS.map(([id, name], k) => {
    const box = make("input", "", { type: "checkbox", value: id, "data-doubt": id });
    return [box, make("label", "doubt", {}, box, make("kbd", "", {}, String(k + 1)), name)];
  });
  const reason = make("textarea", "", { rows: "2", maxlength: String(LONGEST_REASON), placeholder: "Why, in words (optional)", "aria-label": "Reason", "data-reason": "" });
  const submit = make("button", "main-button", { type: "button", "data-submit": "" }, "Send ", make("kbd", "", {}, "⏎"));
  const leave = make("button", "quiet", { type: "button", "data-skip": "" }, make("kbd", "", {}, "N"), "Skip");
  const fault = make("p", "fault", { role: "alert", "data-fault": "" });
  const correction = createCorrection(task, question, (change) => { update(change); });
  const root = make("section", "card form", { "data-form": task.item_id },
    make("div", "choices", { role: "group", "aria-label": "Verdict" }, ...choices),
    make("fieldset", "doubts", {}, make("legend", "", {}, "Doubts"), ...boxes.map(([, label]) => label)),
    reason, correction.root, fault, make("div", "send", {}, leave, submit));

  const show = () => {
    for (const one of choices) one.setAttribute("aria-pressed", String(one.dataset.verdict === state.verdict));
    for (const [box] of boxes) box.checked = state.doubts.includes(box.value);
    if (reason.value !== state.reason) reason.value = state.reason;
    correction.show(state);
  };
  const update = (change) => {
    if (isBusy) return;
    state = { ...state, ...change };
    fault.textContent = "";
    show();
    changed(JSON.stringify(state));
  };
  const toggle = (id) => update({ doubts: DOUBTS.map(([one]) => one).filter((one) => (one === id) !== state.doubts.includes(one)) });
  for (const one of choices) one.addEventListener("click", () => update({ verdict: one.dataset.verdict }));
  for (const [box] of boxes) box.addEventListener("change", () => toggle(box.value));
  reason.addEventListener("input", () => update({ reason: reason.value }));
  const press = () => {
    if (isBusy) return;
    if (!state.verdict) { fault.textContent = "Accept or reject first."; return; }
    send(state);
  };
  submit.addEventListener("click", press);
  leave.addEventListener("click", () => { if (!isBusy) skip(); });
  for (const field of root.querySelectorAll("textarea")) field.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) press(); });
  show();

  return {
    root, update,
    refresh: show,
    say: (text) => { fault.textContent = text; },
    /** While a verdict is on its way, nothing of it changes. */
    setBusy: (value) => {
      isBusy = value;
      root.toggleAttribute("aria-busy", value);
      for (const one of root.querySelectorAll("button, input, textarea, select")) one.disabled = value;
    },
    /** Whether a key was for the form. */
    press: (key, from) => {
      const k = Number(key) - 1;
      const acts = {
        a: () => update({ verdict: "accepted" }), r: () => update({ verdict: "rejected" }), n: () => leave.click(),
        w: () => reason.focus(), c: () => correction.open(), Enter: press,
      };
      if (DOUBTS[k]) { if (!isBusy) toggle(DOUBTS[k][0]); return true; }
      // A button or a link that has the focus is pressed by Enter itself.
      if (key === "Enter" && from.matches?.("button:not(.choice), a, summary")) return false;
      const act = acts[key.length === 1 ? key.toLowerCase() : key];
      act?.();
      return Boolean(act);
    },
  };
};
