// Counts down the seconds that wrong PINs have cost.

const wait = document.getElementById("wait");
const button = wait.closest("form").querySelector("button");
const until = performance.now() + 1000 * Number(wait.dataset.seconds);

function count() {
  const left = Math.ceil((until - performance.now()) / 1000);
  button.disabled = left > 0;
  wait.hidden = left <= 0;
  wait.textContent = wait.dataset.words.replace("{seconds}", left);
  if (left > 0) setTimeout(count, 250);
}

wait.setAttribute("role", "timer"); // it has been read out once
count();
