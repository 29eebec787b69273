// Fields of forms: they show what is, until somebody changes it.

document.addEventListener("input", (event) => event.target.form?.setAttribute("data-touched", ""));
document.addEventListener("reset", (event) => event.target.removeAttribute("data-touched"));

// What a field shows gives way to what is typed into it.
let entered = null;
document.addEventListener("focusin", (event) => { entered = event.target; });
document.addEventListener("click", (event) => {
  if (event.target === entered && entered.matches('input:not([type="checkbox"], [type="file"])')) entered.select();
  entered = null;
});

export function fill(id, values) {
  const form = document.getElementById(id);
  if (form.dataset.touched !== undefined || form.contains(document.activeElement)) return;
  for (const [name, value] of Object.entries(values)) form.elements.namedItem(name).value = value;
}
