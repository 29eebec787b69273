// Sets the chosen appearance, board and checkers before the first paint. A plain script, as modules run too late for that.
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
    for (const part of ["board", "checkers"]) {
      const colours = localStorage.getItem(part);
      if (colours) document.documentElement.dataset[part] = colours;
    }
  } catch {
    // Nothing is kept in this browser: the device's own appearance it is.
  }
})();
