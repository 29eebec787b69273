// Sets the chosen appearance before the first paint. A plain script, as modules run too late for that.
(() => {
  try {
    const chosen = localStorage.getItem("theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Nothing is kept in this browser: the device's own appearance it is.
  }
})();
