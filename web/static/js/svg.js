// Small helpers to draw SVG.

const SPACE = "http://www.w3.org/2000/svg";

/** An SVG element with these attributes and children (elements or text). */
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** A rectangle from [x, y, width, height]. */
export function rect([x, y, width, height], attributes = {}) {
  return svg("rect", { x, y, width, height, ...attributes });
}
