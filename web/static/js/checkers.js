// Which checker goes where: each keeps its identity from view to view, so that a play is seen as movement.

/** The places of a side's checkers in a view, as {place: count}. place: "bar", "off" or light's number of a point. */
export function placesOf(view, side) {
  const places = new Map();
  view.points.forEach((count, index) => {
    const own = side === "light" ? count : -count;
    if (own > 0) places.set(index + 1, own);
  });
  if (view[side].bar > 0) places.set("bar", view[side].bar);
  if (view[side].off > 0) places.set("off", view[side].off);
  return places;
}

/**
 * The next home of each checker, moving as few as possible.
 *
 * held: [{place, index}, ...] of the side's checkers as they lie; places: where they lie now.
 * Returns {kept: same length as held, each {place, index} or null where there is no place any more; added: [{place, index}]}.
 */
export function assign(held, places, side) {
  const kept = held.map(({ place, index }) => (index < (places.get(place) ?? 0) ? { place, index } : null));
  const taken = new Set(kept.filter(Boolean).map(({ place, index }) => `${place}/${index}`));
  const free = [];
  for (const [place, count] of places) {
    for (let index = 0; index < count; index++) {
      if (!taken.has(`${place}/${index}`)) free.push({ place, index });
    }
  }
  // The travellers and the free places pair up in board order, so that two movers do not cross for nothing.
  const [off, bar] = side === "light" ? [0, 25] : [25, 0];
  const order = ({ place }) => (place === "off" ? off : place === "bar" ? bar : place);
  const travellers = held.map((from, at) => ({ from, at })).filter(({ at }) => kept[at] === null);
  travellers.sort((a, b) => order(a.from) - order(b.from));
  free.sort((a, b) => order(a) - order(b));
  travellers.forEach(({ at }) => {
    kept[at] = free.shift() ?? null;
  });
  return { kept, added: free };
}
