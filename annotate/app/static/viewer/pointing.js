// The pointer over the panels: hover, click, drag, wheel, two fingers.
const STILL_PX = 4; // a hand moves the mouse this far while it clicks
const LINE_PX = 16;

/** Listens until `signal`; `on` has hover, leave, click, reset, pan, zoom, and `panelAt` finds the panel of a node. */
export const listenToPointer = (root, panelAt, on, signal) => {
  const held = new Map();
  let start = null, isDragged = false;
  const placeIn = (panel, { clientX, clientY }) => {
    const box = panel.root.getBoundingClientRect();
    return [clientX - box.left - panel.root.clientLeft, clientY - box.top - panel.root.clientTop];
  };
  const listen = (kind, heard, options = {}) => root.addEventListener(kind, heard, { signal, ...options });

  // Focus stays with the whole: a region that is redrawn would lose it.
  listen("mousedown", (event) => {
    event.preventDefault();
    root.focus({ preventScroll: true });
  });
  listen("pointerdown", (event) => {
    if (event.button > 1) return;
    if (!held.size) { start = [event.clientX, event.clientY]; isDragged = false; }
    held.set(event.pointerId, [event.clientX, event.clientY]);
  });
  const drag = (event, before) => {
    const dx = event.clientX - before[0], dy = event.clientY - before[1];
    const wasDragged = isDragged;
    isDragged ||= Math.hypot(event.clientX - start[0], event.clientY - start[1]) > STILL_PX;
    held.set(event.pointerId, [event.clientX, event.clientY]);
    if (held.size === 2) {
      const other = [...held].find(([id]) => id !== event.pointerId)[1];
      const was = Math.hypot(before[0] - other[0], before[1] - other[1]);
      const is = Math.hypot(event.clientX - other[0], event.clientY - other[1]);
      const panel = panelAt(event.target);
      if (was > 0 && is > 0 && panel) on.zoom(is / was, placeIn(panel, event));
      return;
    }
    if (!isDragged) return;
    if (!wasDragged) {
      root.setPointerCapture(event.pointerId);
      root.classList.add("mv-dragging");
      on.leave();
    }
    on.pan(dx, dy);
  };
  listen("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (before && event.buttons) { drag(event, before); if (isDragged) return; }
    if (event.pointerType === "touch") return;
    const panel = panelAt(event.target);
    if (panel) on.hover(panel, placeIn(panel, event));
    else on.leave();
  });
  const release = (event) => {
    held.delete(event.pointerId);
    root.classList.remove("mv-dragging");
  };
  for (const kind of ["pointerup", "pointercancel", "lostpointercapture"]) listen(kind, release);
  listen("pointerleave", () => on.leave());
  listen("click", (event) => {
    const panel = panelAt(event.target);
    // A screen reader clicks without a pointer: what is meant is the element.
    if (event.detail === 0) on.click(panel, null, event);
    else if (panel && !isDragged) on.click(panel, placeIn(panel, event), event);
  });
  listen("dblclick", (event) => {
    const panel = panelAt(event.target);
    if (panel && !isDragged) on.reset(panel, placeIn(panel, event));
  });
  listen("wheel", (event) => {
    const panel = panelAt(event.target);
    if (!panel) return;
    event.preventDefault();
    const lines = event.deltaMode === 1 ? LINE_PX : event.deltaMode === 2 ? root.clientHeight : 1;
    on.zoom(Math.exp(Math.max(-300, Math.min(300, -event.deltaY * lines)) * 0.0016), placeIn(panel, event));
  }, { passive: false });
};
