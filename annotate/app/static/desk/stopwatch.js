// How long somebody looked: the time in which the page was seen.

/** A watch that stands until it is started, and while the page is hidden; `stop` ends it for good. */
export const createStopwatch = () => {
  let seenMs = 0, since = null, isStarted = false;
  const turn = () => {
    const now = performance.now();
    if (since !== null) seenMs += now - since;
    since = isStarted && document.visibilityState === "visible" ? now : null;
  };
  document.addEventListener("visibilitychange", turn);
  return {
    start: () => { isStarted = true; turn(); },
    seconds: () => { turn(); return seenMs / 1000; },
    stop: () => document.removeEventListener("visibilitychange", turn),
  };
};
