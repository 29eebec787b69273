// What a visitor chose, kept in the browser. Where the browser keeps nothing, the choice lasts as long as the page.

export function recall(name, otherwise) {
  try {
    return localStorage.getItem(name) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // Private windows may refuse; the page goes on with the value it has.
  }
}
