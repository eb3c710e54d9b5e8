// What somebody is putting together on a picture: kept as a draft at every change.
import { FILTERS } from "./sheet.js";

/** The empty slots of a template. */
export const slotsOf = (template) => Object.fromEntries(Object.keys(template.slots).map((slot) => [slot, null]));

const startWith = (sheet, one) => {
  const template = one ? sheet.templateOf(one.template_id) : sheet.templates[0];
  return { template_id: template.id, direction: one?.direction ?? template.directions[0] ?? null, slots: { ...slotsOf(template), ...(one?.slots ?? {}) }, item_id: one?.item_id ?? null };
};

/** Nothing yet but the first question that waits. */
export const blankWork = (sheet) => {
  const filter = ["open", "waiting"].find((name) => sheet.listed(name, null).length) ?? "all";
  return { ...startWith(sheet, sheet.listed(filter, null)[0]), pending: {}, filter, only: false };
};

/** Work as a draft tells it; what the picture no longer holds is left out. */
export const readWork = (content, sheet) => {
  let found;
  try { found = JSON.parse(content); } catch { return blankWork(sheet); }
  if (typeof found !== "object" || found === null) return blankWork(sheet);
  const pending = Object.fromEntries(Object.entries(found.pending ?? {}).filter(([id, said]) => sheet.byId.has(id) && typeof said === "object"));
  const others = { pending, filter: found.filter in FILTERS ? found.filter : "open", only: found.only === true };
  const one = sheet.byId.get(found.item_id);
  if (one) return { ...startWith(sheet, one), ...others };
  const template = sheet.templates.find(({ id }) => id === found.template_id);
  if (!template) return { ...blankWork(sheet), ...others };
  const known = new Set(sheet.scene.instances.map(({ instance_id: id }) => id));
  const slots = Object.fromEntries(Object.keys(template.slots).map((slot) => [slot, known.has(found.slots?.[slot]) ? found.slots[slot] : null]));
  return { template_id: template.id, direction: template.directions.includes(found.direction) ? found.direction : template.directions[0] ?? null, slots, item_id: null, ...others };
};

/** Work in which more is said of a question that is not saved yet. */
export const withPending = (work, id, said) => ({ ...work, pending: { ...work.pending, [id]: { ...work.pending[id], ...said } } });
