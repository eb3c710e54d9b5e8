// Numbers of things in words.

/** `1 move`, `1,200 moves`. */
export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
