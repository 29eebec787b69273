// GNU Backgammon's Position ID: 80 bits, for each side and point as many ones as checkers, then a zero; the other side first.

/** {own, other}: 25 counts each by that side's own points, the bar last. */
export function decode(id) {
  const bytes = Uint8Array.from(atob(id), (letter) => letter.charCodeAt(0));
  let at = 0;
  const bit = () => {
    const value = (bytes[at >> 3] >> (at & 7)) & 1;
    at += 1;
    return value;
  };
  const side = () =>
    Array.from({ length: 25 }, () => {
      let count = 0;
      while (at < 80 && bit()) count += 1;
      return count;
    });
  const other = side();
  return { other, own: side() };
}
