// Which questions come to a person's desk: all, those that people answered, those of a sub-task.
import { make } from "../viewer/making.js";

const PEOPLE = "people";
const keyOf = (kind) => `mira which ${kind}`;
const kept = (kind) => { try { return sessionStorage.getItem(keyOf(kind)) ?? ""; } catch { return ""; } };

/** What is asked for of the server. */
export const readWhich = (kind) => {
  const which = kept(kind);
  return which === PEOPLE ? { by_people: true } : which ? { subtask: which } : {};
};

/** A choice for the row above the pictures; `changed()` hears that another one holds. */
export const createWhich = (kind, subtasks, changed) => {
  const select = make("select", "", { "aria-label": "Which questions", "data-which": "" },
    make("option", "", { value: "" }, "All questions"), make("option", "", { value: PEOPLE }, "Answered by people"),
    ...Object.entries(subtasks).map(([id, name]) => make("option", "", { value: id }, name)));
  select.value = kept(kind);
  select.addEventListener("change", () => {
    try { sessionStorage.setItem(keyOf(kind), select.value); } catch { /* until the page is left */ }
    changed();
  });
  return select;
};
