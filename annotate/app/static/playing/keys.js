// Keys of buttons, and what is written for them.
const WRITTEN = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→", PageUp: "PgUp", PageDown: "PgDn" };

/** A key as it is written on a button. */
export const written = (key) => WRITTEN[key] ?? key.toUpperCase();

/** The number of the button that a key presses; null for none. */
export const findKey = (buttons, key) => {
  const found = buttons.findIndex(({ keys }) => keys.some((one) => one.toLowerCase() === key.toLowerCase()));
  return found < 0 ? null : found;
};
