// Elements; whatever people wrote gets in as text alone.
const SVG = "http://www.w3.org/2000/svg";

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children);
  return element;
};

/** An HTML element with a class, attributes and children; strings become text. */
export const make = (tag, className = "", attributes = {}, ...children) =>
  fill(document.createElement(tag), { class: className || null, ...attributes }, children);

/** The same for SVG. */
export const draw = (tag, className = "", attributes = {}, ...children) =>
  fill(document.createElementNS(SVG, tag), { class: className || null, ...attributes }, children);

/** A path through rings. */
export const pathOf = (rings) => rings.map((ring) => `M${ring.map(([x, y]) => `${x} ${y}`).join("L")}Z`).join("");
