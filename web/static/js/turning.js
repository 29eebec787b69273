// What the moves of a play do to the board, and how they are written: 13/9(2), bar/20*, as the referee writes them.

/** {counts, hits} after the moves of a side. counts: each side's 25 by its own points, the bar last; hits: one for each move. */
export function playOn(counts, side, moves) {
  const after = { light: [...counts.light], dark: [...counts.dark] };
  const [own, other] = side === "light" ? [after.light, after.dark] : [after.dark, after.light];
  const hits = moves.map(([from, to]) => {
    own[from - 1] -= 1;
    if (to === 0) return false;
    own[to - 1] += 1;
    const hit = other[24 - to] === 1;
    if (hit) {
      other[24 - to] = 0;
      other[24] += 1;
    }
    return hit;
  });
  return { counts: after, hits };
}

const place = (point) => (point === 25 ? "bar" : point === 0 ? "off" : String(point));

/** The moves in notation: steps of one checker joined unless it hits on the way, the same way counted. */
export function written(moves, hits) {
  const ways = [];
  const steps = moves.map(([from, to], index) => ({ from, to, hit: hits[index] })).sort((a, b) => b.from - a.from || b.to - a.to);
  for (const step of steps) {
    const way = ways.find((one) => one.at(-1).to === step.from);
    if (way) way.push(step);
    else ways.push([step]);
  }
  const texts = ways.map((way) => way.reduce((text, step, index) => (step.hit || index === way.length - 1 ? `${text}/${place(step.to)}${step.hit ? "*" : ""}` : text), place(way[0].from)));
  const times = new Map();
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1);
  return [...times].map(([text, count]) => (count > 1 ? `${text}(${count})` : text)).join(" ");
}

const WAY = /^((?:bar|\d+)(?:\/(?:off|bar|\d+)\*?)+)(?:\((\d)\))?$/;

/** The moves (from, to) of a play in notation, every stop on the way included; [] for words that are no play. */
export function movesIn(notation) {
  return notation.split(" ").flatMap((word) => {
    const found = WAY.exec(word);
    if (!found) return [];
    const stops = found[1].split("/").map((stop) => (stop === "bar" ? 25 : stop.startsWith("off") ? 0 : Number.parseInt(stop, 10)));
    const way = stops.slice(1).map((stop, index) => [stops[index], stop]);
    return Array(Number(found[2] ?? 1)).fill(way).flat();
  });
}
