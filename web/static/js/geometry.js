// Where things lie on the drawn board, in the SVG's units: a checker is 56 wide. Pure numbers, no drawing.
//
// Everything is laid out with light's home at the bottom right, then mirrored to the corner asked for.

export const WIDTH = 912;
export const HEIGHT = 740;
export const RAIL = 40; // the frame along the top and the bottom, with the point numbers
export const EDGE = 26; // the frame at the sides
export const POINT = 60;
export const BAR = 60;
export const TRAY = 68;
export const POST = 12; // the wood between the home board and the tray
export const CHECKER = 28; // radius
export const PITCH = 57; // from checker to checker in a stack
export const POINT_HEIGHT = 276;
export const STACK = 5; // checkers drawn on a point before a number counts them
const BAR_STACK = 4;
const SLAB_PITCH = 14;
const CUBE_ROOM = 34; // from the end of the bar to the middle of a cube there
const SLAB = 7; // half the height of a checker standing on its edge in the tray

const LEFT = EDGE;
const BAR_LEFT = LEFT + 6 * POINT;
const RIGHT = BAR_LEFT + BAR;
const TRAY_LEFT = RIGHT + 6 * POINT + POST;
const MIDDLE = HEIGHT / 2;

/** The parts of the playing surface, as [x, y, width, height], unmirrored. */
export const PARTS = {
  left: [LEFT, RAIL, 6 * POINT, HEIGHT - 2 * RAIL],
  right: [RIGHT, RAIL, 6 * POINT, HEIGHT - 2 * RAIL],
  bar: [BAR_LEFT, 0, BAR, HEIGHT],
  trays: [
    [TRAY_LEFT, RAIL, TRAY, 236],
    [TRAY_LEFT, HEIGHT - RAIL - 236, TRAY, 236],
  ],
  cubeBed: [TRAY_LEFT, RAIL + 250, TRAY, HEIGHT - 2 * RAIL - 500],
};

/** The layout for light's home in this corner: "bottom-right", "bottom-left", "top-right" or "top-left". */
export function layoutFor(corner) {
  const lightBelow = corner.startsWith("bottom");
  const homeRight = corner.endsWith("right");
  const turn = ([x, y]) => [homeRight ? x : WIDTH - x, lightBelow ? y : HEIGHT - y];

  return {
    corner,
    lightBelow,
    homeRight,

    /** The middle of a point's base, and the direction (1 or -1) in which its checkers stack. */
    point(number) {
      const column = number <= 12 ? 12 - number : number - 13;
      const x = LEFT + column * POINT + (column >= 6 ? BAR : 0) + POINT / 2;
      const below = number <= 12;
      const [tx, ty] = turn([x, below ? HEIGHT - RAIL : RAIL]);
      return { x: tx, y: ty, up: below === lightBelow ? -1 : 1 };
    },

    /** Where the number of a point is written. */
    label(number) {
      const { x, y, up } = this.point(number);
      return [x, y - up * (RAIL / 2)];
    },

    /** The centre of a side's checker at this index of a place: "bar", "off", or light's number of a point. */
    checker(side, place, index) {
      if (place === "bar") {
        const y = MIDDLE + (side === "light" ? -1 : 1) * (70 + Math.min(index, BAR_STACK - 1) * PITCH);
        return turn([BAR_LEFT + BAR / 2, y]);
      }
      if (place === "off") {
        const depth = SLAB + 8 + index * SLAB_PITCH;
        return turn([TRAY_LEFT + TRAY / 2, side === "light" ? HEIGHT - RAIL - depth : RAIL + depth]);
      }
      const { x, y, up } = this.point(place);
      return [x, y + up * (CHECKER + 1 + Math.min(index, STACK - 1) * PITCH)];
    },

    /** How many checkers of a place are drawn beside each other. */
    room(place) {
      return place === "bar" ? BAR_STACK : place === "off" ? 15 : STACK;
    },

    /** The middle of the half of the board that is at the right hand of a side. */
    rightHalf(side) {
      const right = (side === "light") === lightBelow;
      const leftX = homeRight ? LEFT + 3 * POINT : WIDTH - RIGHT - 3 * POINT;
      const rightX = homeRight ? RIGHT + 3 * POINT : WIDTH - LEFT - 3 * POINT;
      return [right ? rightX : leftX, MIDDLE];
    },

    /** The cube: in its bed, at its owner's end of the bar, or before the side to whom it is offered. */
    cube(owner, offered) {
      if (offered) {
        const [x] = this.rightHalf(offered === "light" ? "dark" : "light");
        return [x, MIDDLE + ((offered === "light") === lightBelow ? 1 : -1) * 20];
      }
      if (owner === null) return turn([TRAY_LEFT + TRAY / 2, MIDDLE]);
      return turn([BAR_LEFT + BAR / 2, MIDDLE + (owner === "light" ? 1 : -1) * (MIDDLE - CUBE_ROOM)]);
    },

    /** A part of PARTS, mirrored. */
    part([x, y, width, height]) {
      return [homeRight ? x : WIDTH - x - width, lightBelow ? y : HEIGHT - y - height, width, height];
    },
  };
}

/** The corner diagonally across: the board as the player on the other side sees it. */
export function across(corner) {
  const [row, column] = corner.split("-");
  return `${row === "top" ? "bottom" : "top"}-${column === "left" ? "right" : "left"}`;
}
