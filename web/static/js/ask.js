// Asks before something is done that is seldom meant.

const sure = document.getElementById("sure");
let unanswered = () => {};
sure.addEventListener("close", () => {
  if (!sure.open) unanswered(sure.returnValue === "yes"); // it may have been opened again before this is heard of
});

/** question: a sentence; yes: what the button says that does it. Answers whether it was pressed. */
export function ask(question, yes) {
  sure.querySelector("p").textContent = question;
  sure.querySelector("[value=yes]").textContent = yes;
  sure.returnValue = "";
  sure.showModal();
  unanswered(false);
  return new Promise((answer) => { unanswered = answer; });
}
