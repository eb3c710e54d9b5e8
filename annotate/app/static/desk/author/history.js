// What can be undone: each entry knows how to go back and forth.
const MOST = 200;

/** Steps of one picture; `told()` hears whenever there is more or less to undo. */
export const createHistory = (told) => {
  let done = [], undone = [];
  const move = (from, to, way) => {
    const step = from.pop();
    if (!step) return false;
    to.push(step);
    step[way]();
    told();
    return true;
  };
  return {
    /** A step that was taken; those of one `kind` that follow each other are one. */
    add: ({ undo, redo, kind = null }) => {
      const last = done.at(-1);
      if (kind !== null && last?.kind === kind) last.redo = redo;
      else done.push({ undo, redo, kind });
      done = done.slice(-MOST);
      undone = [];
      told();
    },
    undo: () => move(done, undone, "undo"),
    redo: () => move(undone, done, "redo"),
    counts: () => [done.length, undone.length],
  };
};
