// Small helpers to build HTML. Text always goes in as text, so that no name can become markup.

/** An element with these attributes and children; children that are null are left out. */
export function html(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Ends a picture's address, and tells it from that of another thing that has the same number in another game or match. */
export function pictured(...what) {
  return `?${encodeURIComponent(what.join(" "))}`;
}

/** Text that only screen readers meet. */
export function unseen(text) {
  return html("span", { class: "unseen" }, text);
}

/** A checker as a small picture beside a name. */
export function marker(side) {
  const space = "http://www.w3.org/2000/svg";
  const picture = document.createElementNS(space, "svg");
  picture.setAttribute("viewBox", "-30 -30 60 60");
  picture.setAttribute("class", "marker");
  picture.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(space, "use");
  use.setAttribute("href", `#checker-${side}`);
  picture.append(use);
  return picture;
}
