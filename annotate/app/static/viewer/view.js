// What of the picture the panels show; both show the same.
const MOST_ZOOM = 64;
const clamp = (value, least, most) => Math.min(most, Math.max(least, value));

/** Where a picture lies in panels that are all of one size; `changed` is called after every move. */
export const createView = (changed) => {
  const picture = { width: 1, height: 1 }, panel = { width: 1, height: 1 };
  const state = { zoom: 1, x: 0.5, y: 0.5 }; // the point of the picture in the middle of a panel

  const scale = () => state.zoom * Math.min(panel.width / picture.width, panel.height / picture.height);
  // The middle of a panel always shows some of the picture, so that what is at its rim can be brought there.
  const settle = () => {
    const isWhole = state.zoom === 1;
    state.x = isWhole ? picture.width / 2 : clamp(state.x, 0, picture.width);
    state.y = isWhole ? picture.height / 2 : clamp(state.y, 0, picture.height);
    changed();
  };
  const toPanel = ([x, y]) => [(x - state.x) * scale() + panel.width / 2, (y - state.y) * scale() + panel.height / 2];
  const toPicture = ([x, y]) => [(x - panel.width / 2) / scale() + state.x, (y - panel.height / 2) / scale() + state.y];
  const panBy = (dx, dy) => {
    state.x -= dx / scale();
    state.y -= dy / scale();
    settle();
  };

  return {
    picture, panel, scale, toPanel, toPicture, panBy,
    zoom: () => state.zoom,
    reset: () => {
      Object.assign(state, { zoom: 1, x: picture.width / 2, y: picture.height / 2 });
      settle();
    },
    setPicture: (width, height) => Object.assign(picture, { width, height }),
    setPanel: (width, height) => {
      Object.assign(panel, { width: Math.max(1, width), height: Math.max(1, height) });
      settle();
    },
    panByShare: (dx, dy) => panBy(dx * panel.width, dy * panel.height),
    /** Zooms so that what is under a point of the panel stays there. */
    zoomAt: (factor, at = [panel.width / 2, panel.height / 2]) => {
      const [x, y] = toPicture(at);
      state.zoom = clamp(state.zoom * factor, 1, MOST_ZOOM);
      const [newX, newY] = toPicture(at);
      state.x += x - newX;
      state.y += y - newY;
      settle();
    },
    /** Moves the least that brings a point of the picture well into the panels. */
    bringIn: ([x, y]) => {
      const [px, py] = toPanel([x, y]), margin = 0.15;
      const off = (at, room) => clamp(at, margin * room, (1 - margin) * room) - at;
      panBy(off(px, panel.width), off(py, panel.height));
    },
    visibleBox: () => {
      const [left, top] = toPicture([0, 0]), [right, bottom] = toPicture([panel.width, panel.height]);
      return { left, top, right, bottom };
    },
  };
};
