// What was skipped in this window, oldest first: it comes again after all others.
const MOST_SKIPPED = 500;

/** What was skipped of a kind of work. */
export const readSkipped = (kind) => {
  try { return JSON.parse(sessionStorage.getItem(`mira skipped ${kind}`)) ?? []; } catch { return []; }
};

/** Notes that something was skipped. */
export const skip = (kind, id) => {
  const found = [...readSkipped(kind).filter((one) => one !== id), id].slice(-MOST_SKIPPED);
  try { sessionStorage.setItem(`mira skipped ${kind}`, JSON.stringify(found)); } catch { /* it comes again sooner */ }
};
