// A control for each format of answer, worked by hand or by keys.
import { make } from "../viewer/making.js";

const YES_NO = [{ value: "yes", text: "yes", key: "y" }, { value: "no", text: "no", key: "n" }];
const AXIS_KEYS = ["qwe", "asd", "zxc"];
const MOST_DIGITS = 4;
const spoken = (word) => word.replaceAll("_", " ");

// A radio a choice; `picked(value)` hears hands and keys alike.
const radios = (name, choices, picked, showKeys) => {
  const made = choices.map(({ value, text, key }) => {
    const input = make("input", "", { type: "radio", name, value });
    input.addEventListener("change", () => picked(value));
    return [input, make("label", "radio", {}, input, ...(showKeys && key ? [make("kbd", "", {}, key.toUpperCase())] : []), make("span", "", {}, text))];
  });
  // Chromium remembers named radios of a shadow root after they are gone, unless they are a form's.
  const root = make("form", "radios", { role: "radiogroup", "aria-label": name }, ...made.map(([, label]) => label));
  root.addEventListener("submit", (event) => event.preventDefault());
  return {
    root,
    show: (value) => { for (const [input] of made) input.checked = input.value === value; },
    press: (key) => {
      const found = choices.find((one) => one.key === key);
      if (found) picked(found.value);
      return Boolean(found);
    },
  };
};

const count = (_, told) => {
  const input = make("input", "number", { type: "number", min: "0", step: "1", "aria-label": "Number", "data-count": "" });
  let now = "";
  const show = (answer) => {
    now = answer?.value === undefined ? "" : String(answer.value);
    if (input.value !== now) input.value = now;
  };
  const give = (text) => {
    const answer = text === "" ? {} : { value: Number(text) };
    show(answer);
    told(answer);
  };
  input.addEventListener("input", () => { if (/^\d+$/.test(input.value)) told({ value: Number(input.value) }); });
  // What is no number is not kept, and so not shown.
  input.addEventListener("change", () => { input.value = now; });
  return {
    root: input, show,
    press: (key) => {
      const isDigit = /^\d$/.test(key);
      if (isDigit && now.length < MOST_DIGITS) give(now + key);
      else if (key === "Backspace") give(now.slice(0, -1));
      return isDigit || key === "Backspace";
    },
  };
};

const axes = ({ axes: words, showKeys }, told) => {
  let now = {};
  const show = (answer) => {
    now = Object.fromEntries(rows.filter(([axis]) => answer?.[axis]).map(([axis]) => [axis, answer[axis]]));
    for (const [axis, group] of rows) group.show(now[axis]);
  };
  const rows = Object.entries(words).map(([axis, ofAxis], k) => {
    const choices = ofAxis.map((word, place) => ({ value: word, text: spoken(word), key: AXIS_KEYS[k]?.[place] }));
    const picked = (word) => { show({ ...now, [axis]: word }); told({ ...now }); };
    return [axis, radios(axis, choices, picked, showKeys)];
  });
  return {
    root: make("div", "axes", {}, ...rows.flatMap(([axis, group]) => [make("span", "soft", {}, axis), group.root])),
    show,
    press: (key) => rows.some(([, group]) => group.press(key)),
  };
};

const choice = ({ format, choices, showKeys, hasWords = () => true }, told) => {
  const hasText = format === "single_choice_plus_text";
  const given = choices?.length ? choices : YES_NO;
  const keyed = given.map((one, k) => ({ ...one, key: one.key ?? (format === "yes_no" ? YES_NO[k]?.key : null) ?? String(k + 1) }));
  let now = {};
  const show = (answer) => {
    now = answer?.value === undefined ? {} : { value: answer.value };
    if (hasText) now.text = answer?.text ?? null;
    group.show(answer?.value);
    if (hasText) text.disabled = !hasWords(now.value);
    if (hasText && text.value !== (now.text ?? "")) text.value = now.text ?? "";
  };
  const give = (change) => {
    const given = { ...now, ...change };
    if (hasText && !hasWords(given.value)) given.text = null;
    show(given);
    told({ ...now });
  };
  const group = radios("answer", keyed, (value) => give({ value }), showKeys);
  const text = make("input", "", { type: "text", maxlength: "500", placeholder: "What the mirror adds", "aria-label": "Words of the answer", "data-text": "" });
  text.addEventListener("input", () => give({ text: text.value || null }));
  return {
    root: make("div", "choosing", {}, group.root, ...(hasText ? [make("label", "writing", {}, ...(showKeys ? [make("kbd", "", {}, "T")] : []), text)] : [])),
    show,
    press: (key) => {
      if (hasText && key === "t" && !text.disabled) { text.focus(); return true; }
      return group.press(key) || (/^[1-9]$/.test(key) && group.press(keyed[Number(key) - 1]?.key));
    },
  };
};
const CONTROLS = { count, spatial_3d_axes: axes };

/**
 * A control that gives an answer of a format.
 *
 * `choices` are `{ value, text, key? }`, in their order (yes and no where there are none), `axes` the words
 * of each axis. `told(answer)` hears every change, without the `format`; what is not chosen yet is
 * not in it. `show(answer)` shows one, or none with null. `press(key)` says whether a key was for it: digits
 * pick the k-th choice or write a number, Y and N answer, Q W E, A S D and Z X C pick the words of the three
 * axes, T writes, where `hasWords(value)` says that words go along. With `showKeys: false` the keys are not drawn.
 */
export const createAnswer = ({ format, choices, axes: words, showKeys = true, hasWords }, told) =>
  (CONTROLS[format] ?? choice)({ format, choices, axes: words, showKeys, hasWords }, told);

/** Whether an answer says all that its format asks for; words are optional. */
export const isWhole = (format, answer, words = {}) =>
  (format === "spatial_3d_axes" ? Object.keys(words).every((axis) => answer?.[axis]) : answer?.value !== undefined);
