// Flags and comments on a picture or on one of its questions: a card that is folded away until it is wanted.
import { Refused, call } from "./calling.js";
import { LONGEST, createRemarkRow } from "./remark_rows.js";
import { sendRemark } from "./remark_sending.js";
import { make } from "../viewer/making.js";

const KINDS = [["flag", "F", "Flag"], ["comment", "M", "Comment"]];
const HINTS = { flag: "What has to be put right?", comment: "What should others know?" };

const readBegun = (key) => { try { return localStorage.getItem(key) ?? ""; } catch { return ""; } };
const keepBegun = (key, text) => {
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch { /* until the page is left */ }
};

/** A card of remarks. `itemId()` is the question that is looked at, or null; `kind` what is done with it: who reviews is told less. */
export const createRemarks = ({ imageId, itemId, shell, kind = "answer" }) => {
  const begunKey = () => `mira remark-begun ${shell.person} ${imageId} ${itemId() ?? ""}`;
  const count = make("span", "count", { "data-remark-count": "" }, "0"), open = make("span", "open-count", { hidden: "", "data-open-count": "" });
  const list = make("ul", "remark-list", { "data-remarks": "" });
  const older = make("button", "quiet", { type: "button", hidden: "" }, "Older ones");
  const text = make("textarea", "", { rows: "2", maxlength: String(LONGEST), "aria-label": "Remark", "data-remark-text": "" });
  const about = make("select", "", { "aria-label": "About", "data-remark-about": "" }, make("option", "", { value: "item" }, "on this question"), make("option", "", { value: "image" }, "on the picture"));
  const buttons = KINDS.map(([name, key, title]) => make("button", `quiet send-${name}`, { type: "button", "data-send-remark": name }, make("kbd", "", {}, key), title));
  const fault = make("p", "fault", { role: "alert" });
  const hints = KINDS.flatMap(([, key, title]) => [make("kbd", "", {}, key), title.toLowerCase()]);
  const root = make("details", "card remarks", { "data-remark-card": "" },
    make("summary", "", {}, "Remarks", count, open, make("span", "soft keys-hint", {}, ...hints)),
    make("div", "remark-new", {}, text, fault, make("div", "remark-send", {}, about, ...buttons)), list, older);
  let wanted = "flag", begun = null, asked = 0, following = null, rows = [];

  const want = (name) => {
    wanted = name;
    text.placeholder = `${HINTS[name]} (Ctrl ⏎ sends)`;
    for (const one of buttons) one.classList.toggle("is-wanted", one.dataset.sendRemark === name);
  };
  const row = (remark) => createRemarkRow(remark, { shell, about: make("span", "soft on", {}, remark.item_id === null ? "the picture" : remark.item_id === itemId() ? "the question" : remark.item_id), resolved: () => refresh() });
  const show = () => {
    const flags = rows.filter((one) => one.is_open).length;
    count.textContent = `${rows.length}${following ? "+" : ""}`;
    open.hidden = flags === 0;
    open.textContent = `${flags} open`;
    older.hidden = following === null;
    list.replaceChildren(...rows.map(row));
    root.dataset.loaded = itemId() ?? imageId;
  };
  const load = async (before) => {
    const turn = asked += 1;
    const query = new URLSearchParams({ image_id: imageId, kind });
    if (itemId() !== null) query.set("item_id", itemId());
    if (before) query.set("before", before);
    try {
      const found = await call(`/api/remarks?${query}`);
      if (turn !== asked) return;
      rows = before ? [...rows, ...found.remarks] : found.remarks;
      following = found.following;
      show();
    } catch (error) {
      if (turn === asked) fault.textContent = error.message;
    }
  };
  const refresh = () => {
    about.hidden = itemId() === null;
    if (begun !== begunKey()) {
      begun = begunKey();
      text.value = readBegun(begun);
      if (text.value) root.open = true;
    }
    return load(null);
  };
  const send = async (name) => {
    const words = text.value.trim();
    if (!words) { fault.textContent = "Say it in words first."; text.focus(); return; }
    const on = about.hidden || about.value === "image" ? null : itemId();
    const waiting = make("li", "remark sending", {}, make("p", "remark-text", {}, words), make("span", "soft", {}, "on its way"));
    list.prepend(waiting);
    text.value = fault.textContent = "";
    keepBegun(begunKey(), "");
    text.blur();
    try {
      await sendRemark(shell, "/api/remarks", { kind: name, image_id: imageId, item_id: on, text: words });
      shell.say(name === "flag" ? "Flagged." : "Commented.", "good");
      await refresh();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      waiting.remove();
      text.value = [words, text.value].filter(Boolean).join("\n");
      keepBegun(begunKey(), text.value);
      fault.textContent = error.message;
    }
  };
  for (const one of buttons) one.addEventListener("click", () => send(one.dataset.sendRemark));
  older.addEventListener("click", () => load(following));
  text.addEventListener("input", () => { fault.textContent = ""; keepBegun(begunKey(), text.value); });
  text.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send(wanted);
  });
  want("flag");
  refresh();
  return {
    root, refresh,
    /** Whether a key was for remarks. */
    press: (key) => {
      const [name] = KINDS.find(([, one]) => one === key.toUpperCase()) ?? [];
      if (!name) return false;
      want(name);
      root.open = true;
      root.scrollIntoView({ block: "nearest" });
      text.focus();
      return true;
    },
  };
};
