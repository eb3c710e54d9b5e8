// What may be asked of a picture: found by its slots, or by what became of it.

const spoken = (word) => word.replaceAll("_", " ");
const isMine = (one) => one.mine !== null;
const isSure = (one) => Boolean(one.proposal?.answer) && !one.proposal.close_call;
const isClose = (one) => Boolean(one.proposal?.answer) && one.proposal.close_call;

/** What questions may be listed by: name, and whether a question belongs there. */
export const FILTERS = {
  open: ["Wait for a person", (one) => !isMine(one) && !isSure(one)],
  waiting: ["Not answered by you", (one) => !isMine(one)],
  close: ["Close calls", (one) => !isMine(one) && isClose(one)],
  bare: ["Without a proposal", (one) => !isMine(one) && !one.proposal?.answer],
  sure: ["With a sure proposal", (one) => !isMine(one) && isSure(one)],
  mine: ["Answered by you", isMine],
  others: ["Answered by others", (one) => one.others],
  all: ["All", () => true],
};

/** What a question is about, in one line. */
export const aboutOf = (one) => [...Object.entries(one.slots).map(([slot, id]) => `${slot} ${id}`), ...(one.direction ? [spoken(one.direction)] : [])].join(" · ");

/** A sheet with its questions by id; `templates` are those of the catalogue. */
export const createSheet = (given, templates) => {
  const place = new Map(templates.map(({ id }, k) => [id, k]));
  const questions = [...given.questions].sort((one, other) => place.get(one.template_id) - place.get(other.template_id));
  const byId = new Map(questions.map((one) => [one.item_id, one]));
  const instances = new Map(given.scene.instances.map((one) => [one.instance_id, one]));
  const templateOf = (id) => templates.find((one) => one.id === id);
  const ofTemplate = (id) => questions.filter((one) => one.template_id === id);
  const fits = (one, direction, slots) => (one.direction ?? null) === direction && Object.entries(slots).every(([slot, id]) => id === null || one.slots[slot] === id);
  const isFull = (slots) => Object.values(slots).every((id) => id !== null);

  // Of two reflections the smaller id comes first; whoever clicks need not know.
  const turned = (template, slots) => {
    const names = Object.keys(template.slots);
    if (names.length !== 2 || template.slots[names[0]] !== template.slots[names[1]]) return slots;
    return { [names[0]]: slots[names[1]], [names[1]]: slots[names[0]] };
  };
  const isLone = (template, id) => ["mpac_001", "mc_002"].includes(template.id) && !given.scene.links.some((one) => one.real_id === id);
  const whyNot = (template, slots) => {
    for (const [slot, id] of Object.entries(slots)) {
      if (id === null) continue;
      const wanted = template.slots[slot], found = instances.get(id)?.visibility;
      if (wanted !== "any" && wanted !== found) return `${slot} is ${wanted === "reflected" ? "a reflection" : "seen directly"}; ${id} is ${found === "reflected" ? "a reflection" : "seen directly"}.`;
      if (!ofTemplate(template.id).some((one) => Object.values(one.slots).includes(id))) return `${template.id} cannot be asked of ${id}: ${isLone(template, id) ? "no reflection is linked to it" : "it is too small, too much like another, or its labels leave it open"}.`;
    }
    return `${template.id} cannot be asked of these two: they are, or may be, one object.`;
  };
  return {
    ...given,
    questions, byId, templateOf, ofTemplate,
    /** Whether geometry was asked; labels are always. */
    isProposed: questions.some((one) => one.proposal && !["vc", "mc"].includes(one.template_id.slice(0, 2))),
    /** Templates of which anything can be asked here. */
    templates: templates.filter((one) => ofTemplate(one.id).length),
    /** Slots of a template, filled by those instances of others that fit. */
    kept: (templateId, slots) => {
      const { slots: wanted } = templateOf(templateId);
      const fit = (id, visibility) => id !== null && id !== undefined && (visibility === "any" || instances.get(id)?.visibility === visibility);
      const free = Object.values(slots);
      return Object.fromEntries(Object.entries(wanted).map(([slot, visibility]) => {
        const at = free.findIndex((id) => fit(id, visibility));
        return [slot, at < 0 ? null : free.splice(at, 1)[0]];
      }));
    },
    /** The question of a template, a direction and slots: itself, why there is none, or neither while slots are empty. */
    find: (templateId, direction, slots) => {
      const template = templateOf(templateId);
      const known = ofTemplate(templateId);
      if (isFull(slots)) {
        const found = known.find((one) => fits(one, direction, slots)) ?? known.find((one) => fits(one, direction, turned(template, slots)));
        return found ? { question: found } : { why: whyNot(template, slots) };
      }
      return known.some((one) => fits(one, direction, slots) || fits(one, direction, turned(template, slots))) ? {} : { why: whyNot(template, slots) };
    },
    /** Questions of a filter, of one template or of all, in their order. */
    listed: (filter, templateId) => questions.filter((one) => FILTERS[filter][1](one) && (!templateId || one.template_id === templateId)),
  };
};
