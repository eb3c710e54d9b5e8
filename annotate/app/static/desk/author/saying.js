// What is said of a picture's questions: it holds here at once, goes out in its order, and other windows hear of it.

/** Sends answers of a sheet; `changed()` hears when one is another than this window made it, `told(n)` of n more answers. */
export const createSaying = (sheet, { outbox, shell, told, changed }) => {
  const { image_id: imageId } = sheet;
  const others = new BroadcastChannel(`mira author ${shell.person}`);
  // What the server kept last, as far as it was heard, and what was said last, by question.
  const kept = new Map(sheet.questions.map((one) => [one.item_id, one.mine])), newest = new Map();
  let isEnded = false;

  const hold = (id, mine) => {
    told(Number(mine !== null) - Number(sheet.byId.get(id).mine !== null));
    sheet.byId.get(id).mine = mine;
    others.postMessage({ imageId, id, mine });
  };
  others.addEventListener("message", ({ data }) => {
    if (data.imageId !== imageId || !sheet.byId.has(data.id)) return;
    sheet.byId.get(data.id).mine = data.mine;
    kept.set(data.id, data.mine);
    newest.delete(data.id);
    changed();
  });
  return {
    /** Says something of a question, or takes back what was said with null. */
    send: (id, said) => {
      const mine = said && { ...said, words: said.words ?? "" }, turn = {};
      newest.set(id, turn);
      outbox.add("/api/author/answer", { image_id: imageId, item_id: id, answer: said?.answer ?? null, note: said?.note || null, shown: sheet.shown }, {
        done: () => kept.set(id, mine),
        refused: (error) => {
          shell.say(`${sheet.byId.get(id).template_id} ${error.message}`, "bad");
          // Where more was said since, that holds until it is heard.
          if (isEnded || newest.get(id) !== turn) return;
          hold(id, kept.get(id));
          changed();
        },
      });
      hold(id, mine);
    },
    end: () => { isEnded = true; others.close(); },
  };
};
