// A remark in a list, and the way to close it.
import { Refused } from "./calling.js";
import { sendRemark } from "./remark_sending.js";
import { make } from "../viewer/making.js";

/** Letters of a remark. */
export const LONGEST = 4000;
const when = (at) => new Date(at).toLocaleString("en", { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hour12: false });
const said = (by, at) => make("span", "soft said", {}, make("b", "", {}, by), ` · ${when(at)}`);

const closing = (remark, shell, resolved) => {
  const text = make("input", "", { type: "text", maxlength: String(LONGEST), placeholder: "What became of it (optional)", "aria-label": "What became of it", "data-resolution": "" });
  const confirm = make("button", "quiet", { type: "submit", "data-confirm": "" }, "Resolve");
  const form = make("form", "closing", { hidden: "" }, text, confirm);
  const open = make("button", "quiet", { type: "button", "data-resolve": "" }, "Resolve…");
  open.addEventListener("click", () => { form.hidden = false; open.hidden = true; text.focus(); });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    confirm.disabled = true;
    try {
      await sendRemark(shell, "/api/remarks/resolve", { remark_id: remark.remark_id, text: text.value });
      shell.say("Resolved.", "good");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      shell.say(error.message, "bad");
    }
    resolved();
  });
  return [open, form];
};

// Who reviews is not told what another reviewer made of it.
const ending = (resolution) => make("p", "remark-end", {}, make("em", "", {}, "Resolved"), ...(resolution ? [said(resolution.by, resolution.at)] : []),
  ...(resolution?.text ? [make("span", "end-text", {}, resolution.text)] : []));

/** A row; `about` says what it is on, `resolved()` hears that it may be closed now. */
export const createRemarkRow = (remark, { shell, about, resolved }) => {
  const state = remark.kind === "comment" ? "comment" : remark.is_open ? "open" : "closed";
  const { resolution } = remark;
  const [open, form] = remark.may_resolve ? closing(remark, shell, resolved) : [null, null];
  return make("li", `remark ${state}`, { "data-remark": remark.remark_id, "data-state": state },
    make("header", "remark-head", {}, make("em", "kind", {}, remark.kind === "flag" ? "Flag" : "Comment"), said(remark.by, remark.at), about, ...(open ? [open] : [])),
    make("p", "remark-text", {}, remark.text), ...(form ? [form] : []),
    ...(state === "closed" ? [ending(resolution)] : []));
};
