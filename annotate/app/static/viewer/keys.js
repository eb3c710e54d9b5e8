// The keys, while the panels have the focus.
const DIGITS_MS = 900;
const PAN_SHARE = 0.1;

/** Listens until `signal`; `on` has typed, pending, clear, step, walk, press, zoom, pan, reset; `digits` says how long ids are. */
export const listenToKeys = (root, on, digits, signal) => {
  let typed = "", timer = 0;
  const forget = () => {
    clearTimeout(timer);
    typed = "";
    on.pending("");
  };
  const settle = () => {
    const id = Number(typed);
    forget();
    on.typed(id);
  };
  const type = (digit) => {
    clearTimeout(timer);
    typed += digit;
    if (typed.length >= digits()) settle();
    else {
      on.pending(typed);
      // Where ids have three digits, two are enough for the shorter ones after a while.
      timer = setTimeout(typed.length > 1 ? settle : forget, DIGITS_MS);
    }
    return true;
  };
  const done = (act) => (...given) => { act(...given); return true; };
  const zoom = done(on.zoom), pan = done(on.pan);
  const press = () => {
    if (typed) { settle(); return true; }
    return on.press();
  };
  const KEYS = {
    ArrowLeft: () => pan(PAN_SHARE, 0), ArrowRight: () => pan(-PAN_SHARE, 0), ArrowUp: () => pan(0, PAN_SHARE), ArrowDown: () => pan(0, -PAN_SHARE),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), Home: done(on.reset),
    Escape: done(() => (typed ? forget() : on.clear())), Enter: press, " ": press,
    ".": done(() => on.walk(1)), ",": done(() => on.walk(-1)),
  };
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = event.key === "Tab" ? () => on.step(event.shiftKey ? -1 : 1) : /^[0-9]$/.test(event.key) ? () => type(event.key) : KEYS[event.key];
    // What is not used here is left to the page around.
    if (!act?.()) return;
    event.preventDefault();
    event.stopPropagation();
  }, { signal });
  root.addEventListener("blur", forget, { signal });
  signal.addEventListener("abort", () => clearTimeout(timer));
};
