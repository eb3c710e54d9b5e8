// Which instance fills which slot of the question, and which slot is filled next.

/** The slots; `told` hears of each choice, `activated` of each move to another slot, `changed` of both. */
export const createSelection = ({ told, activated, changed }) => {
  let slots = [], active = 0, seq = 0, isNewPicture = true;

  const isSameSlots = (others) => slots.length === others.length && slots.every((one, k) => one.slot === others[k].slot);
  const firstEmpty = () => slots.findIndex((one) => one.instance_id === null);
  const activate = (at) => {
    if (at === active || !slots[at]) return;
    active = at;
    changed();
    activated({ slot: slots[at].slot, seq });
  };
  const fill = (at, id, next = active) => {
    const was = active, { slot } = slots[at];
    slots[at].instance_id = id;
    seq += 1;
    active = next;
    changed();
    const moved = active === was ? null : { slot: slots[active].slot, seq };
    // The listener may set the selection anew, so nothing is read from it afterwards.
    told({ slot, instance_id: id, seq });
    if (moved) activated(moved);
  };

  return {
    slots: () => slots.map((one, k) => ({ ...one, active: k === active })),
    active: () => active,
    seq: () => seq,
    activate,
    /** Takes what the host says, unless it is an echo of less than what was chosen here. */
    set: (selection) => {
      const given = (selection?.slots ?? []).map(({ slot, instance_id }) => ({ slot: String(slot), instance_id: instance_id ?? null }));
      const givenSeq = selection?.seq ?? 0;
      if (givenSeq < seq && isSameSlots(given) && !isNewPicture) return;
      const isStaying = isSameSlots(given) && !isNewPicture;
      const named = (selection?.slots ?? []).findIndex((one) => one.active);
      slots = given;
      seq = Math.max(seq, givenSeq);
      isNewPicture = false;
      if (named >= 0) active = named;
      else if (!isStaying) active = Math.max(0, firstEmpty());
      changed();
    },
    /** Forgets choices for a new picture; whatever the host says next holds. */
    forget: () => {
      for (const one of slots) one.instance_id = null;
      active = 0;
      isNewPicture = true;
      changed();
    },
    /** Fills the active slot and goes on to the next empty one; gives the slot's place, or -1 if there is none. */
    choose: (id) => {
      const at = active;
      if (!slots[at]) return -1;
      const next = slots.findIndex((one, k) => k > at && one.instance_id === null);
      const before = slots.findIndex((one, k) => k < at && one.instance_id === null);
      fill(at, id, next >= 0 ? next : before >= 0 ? before : at);
      return at;
    },
    /** Fills a slot again, without going on. */
    replace: (at, id) => { if (slots[at]) fill(at, id); },
    /** Empties the active slot; if it is empty already, goes back to the one before. */
    clear: () => {
      if (!slots[active]) return;
      if (slots[active].instance_id === null) activate(active - 1);
      else fill(active, null);
    },
    /** Goes to the slot after or before; false past the ends, where the focus should leave. */
    step: (by) => {
      if (!slots[active + by]) return false;
      activate(active + by);
      return true;
    },
  };
};
