// Instances in words, for the ways of pointing that describe.
import { make } from "../../viewer/making.js";

const LONGEST = 200;

/** A line for each instance; `described(id, text)` hears what was written. */
export const createDescribing = (sheet, { described }) => {
  const now = { ...sheet.described };
  const textOf = (one) => now[one.instance_id] || one.description || "";
  const rows = sheet.scene.instances.map((one) => {
    const input = make("input", "", { type: "text", maxlength: String(LONGEST), placeholder: one.label, "aria-label": `Instance ${one.instance_id} in words`, "data-describe": one.instance_id });
    input.value = textOf(one);
    const keep = () => {
      const text = input.value.trim().replace(/\s+/g, " ");
      input.value = text;
      if (text !== textOf(one)) described(one.instance_id, text);
    };
    input.addEventListener("change", keep);
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      keep();
      const next = rows[rows.findIndex(([each]) => each === one) + 1];
      if (next) next[1].focus(); else input.blur();
    });
    return [one, input];
  });
  const root = make("details", "card describing", { "data-describing": "" }, make("summary", "", {}, make("kbd", "", {}, "I"), " Instances in words"),
    make("p", "soft small", {}, "A few words that pick it out, as “the white cup on the shelf”. Enter goes on."),
    make("div", "describe-rows", {}, ...rows.map(([one, input]) => make("label", "describe-row", {}, make("b", one.visibility, {}, String(one.instance_id)), input))));
  return {
    root,
    open: (id) => {
      root.open = true;
      (rows.find(([one]) => one.instance_id === id) ?? rows[0])?.[1].focus();
    },
    /** What an instance is called now. */
    textOf: (id) => now[id] ?? "",
    set: (id, text) => {
      now[id] = text;
      const found = rows.find(([one]) => one.instance_id === id);
      if (found) found[1].value = textOf(found[0]);
    },
  };
};
