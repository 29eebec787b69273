// Which checkers a board marks: those of a play that is wrong and stands on it, else those that were moved last.

const WAY = /^(bar|\d+)((?:\/(?:off|\d+)\*?)+)(?:\((\d)\))?$/;
const NONE = { kind: "", side: "light", moves: [] };

/** The moves (from, to) of a play in notation, 25 the bar, 0 off, each checker from where it stood to where it stands. */
export function movesOf(notation) {
  return notation.split(" ").flatMap((word) => {
    const found = WAY.exec(word);
    if (!found) return [];
    const number = (place) => (place === "bar" ? 25 : place === "off" ? 0 : Number(place));
    const last = found[2].replaceAll("*", "").split("/").at(-1);
    return Array(Number(found[3] ?? 1)).fill([number(found[1]), number(last)]);
  });
}

/** {kind: "wrong" | "better" | "last" | "", side, moves} of a view; the moves are in that side's numbers. */
export function markedMoves(view) {
  if (view.marked) return view.marked;
  const wrong = view.flags?.findLast((flag) => !flag.resolved && flag.moved?.length);
  if (wrong) return { kind: "wrong", side: wrong.side, moves: wrong.moved };
  const last = view.plays?.at(-1);
  return last?.dice ? { kind: "last", side: last.side, moves: movesOf(last.notation) } : NONE;
}
