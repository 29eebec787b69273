// The RP2040's boot ROM at call level: a table of function entries whose bodies run here, so that no ROM image is needed.
// Layout and two-letter codes: RP2040 datasheet, section 2.8 "Bootrom"; only what MicroPython calls.

const ENTRY_BASE = 0x400;
const TABLE = 0x100;
const FLOAT_TABLE = 0x300;
const BX_LR = 0x4770;

const FLOAT_VIEW = new DataView(new ArrayBuffer(8));
const toFloat = (bits) => (FLOAT_VIEW.setUint32(0, bits), FLOAT_VIEW.getFloat32(0));
const toBits = (value) => (FLOAT_VIEW.setFloat32(0, value), FLOAT_VIEW.getUint32(0));
const clamp = (x, low, high) => (Number.isNaN(x) ? 0 : Math.min(Math.max(x, low), high));

function code(name) {
  return name.charCodeAt(0) | (name.charCodeAt(1) << 8);
}

function memoryFunctions(mcu, R) {
  const copy = () => {
    const [to, from, count] = [R[0] >>> 0, R[1] >>> 0, R[2] >>> 0];
    for (let i = 0; i < count; i++) mcu.writeUint8(to + i, mcu.readUint8(from + i));
  };
  const fill = () => {
    const [to, value, count] = [R[0] >>> 0, R[1] & 255, R[2] >>> 0];
    for (let i = 0; i < count; i++) mcu.writeUint8(to + i, value);
  };
  return { MC: copy, C4: copy, MS: fill, S4: fill };
}

function bitFunctions(R) {
  return {
    P3: () => { let x = R[0] >>> 0, n = 0; while (x) { n += x & 1; x >>>= 1; } R[0] = n; },
    R3: () => { let x = R[0] >>> 0, r = 0; for (let i = 0; i < 32; i++) { r = (r << 1) | (x & 1); x >>>= 1; } R[0] = r >>> 0; },
    L3: () => { R[0] = Math.clz32(R[0] >>> 0); },
    T3: () => { const x = R[0] >>> 0; R[0] = x ? 31 - Math.clz32(x & -x) : 32; },
  };
}

function flashFunctions(mcu, R) {
  const nothing = () => {};
  const erase = () => { const at = R[0] >>> 0; mcu.flash.fill(0xff, at, at + (R[1] >>> 0)); };
  const program = () => {
    const [at, from, count] = [R[0] >>> 0, R[1] >>> 0, R[2] >>> 0];
    for (let i = 0; i < count; i++) mcu.flash[at + i] &= mcu.readUint8(from + i);
  };
  return { IF: nothing, EX: nothing, RE: erase, RP: program, FC: nothing, CX: nothing };
}

function floatFunctions(R) {
  const two = (f) => () => { R[0] = toBits(f(toFloat(R[0]), toFloat(R[1]))); };
  const one = (f) => () => { R[0] = toBits(f(toFloat(R[0]))); };
  const pair = () => (BigInt(R[1] >>> 0) << 32n) | BigInt(R[0] >>> 0);
  const setPair = (value) => {
    const bits = BigInt.asUintN(64, value);
    R[0] = Number(bits & 0xffffffffn);
    R[1] = Number(bits >> 32n);
  };
  return [
    two((a, b) => a + b), two((a, b) => a - b), two((a, b) => a * b), two((a, b) => a / b), null, null,
    one(Math.sqrt),
    () => { R[0] = Math.floor(clamp(toFloat(R[0]), -2147483648, 2147483647)) | 0; },
    () => { R[0] = Math.floor(clamp(toFloat(R[0]) * 2 ** R[1], -2147483648, 2147483647)) | 0; },
    () => { R[0] = Math.floor(clamp(toFloat(R[0]), 0, 4294967295)) >>> 0; },
    () => { R[0] = Math.floor(clamp(toFloat(R[0]) * 2 ** R[1], 0, 4294967295)) >>> 0; },
    () => { R[0] = toBits(R[0] | 0); },
    () => { R[0] = toBits((R[0] | 0) / 2 ** R[1]); },
    () => { R[0] = toBits(R[0] >>> 0); },
    () => { R[0] = toBits((R[0] >>> 0) / 2 ** R[1]); },
    one(Math.cos), one(Math.sin), one(Math.tan), null, one(Math.exp), one(Math.log), null, two(Math.atan2),
    () => { R[0] = toBits(Number(BigInt.asIntN(64, pair()))); }, null,
    () => { R[0] = toBits(Number(pair())); }, null,
    () => setPair(BigInt(Math.floor(clamp(toFloat(R[0]), -9.2e18, 9.2e18)))), null,
    () => setPair(BigInt(Math.floor(clamp(toFloat(R[0]), 0, 1.8e19)))), null,
    () => { FLOAT_VIEW.setFloat64(0, toFloat(R[0])); R[1] = FLOAT_VIEW.getUint32(0); R[0] = FLOAT_VIEW.getUint32(4); },
  ];
}

// Fills the ROM of `mcu`; the map returned gives the body to run when the program counter is at an entry.
export function installBootRom(mcu) {
  const R = mcu.core.registers;
  const rom = new DataView(new ArrayBuffer(16384));
  const bodies = new Map();
  let next = ENTRY_BASE;
  const entry = (body) => {
    const at = next;
    next += 4;
    rom.setUint16(at, BX_LR, true);
    bodies.set(at, body);
    return at | 1;
  };
  rom.setUint32(0, 0x20041f00, true);
  rom.setUint32(4, 0xef, true);
  rom.setUint32(0x10, 0x0201754d, true);
  rom.setUint16(0x14, TABLE, true);
  let place = TABLE;
  const row = (key, value) => {
    rom.setUint16(place, key, true);
    rom.setUint16(place + 2, value, true);
    place += 4;
  };
  const functions = { ...memoryFunctions(mcu, R), ...bitFunctions(R), ...flashFunctions(mcu, R) };
  for (const [name, body] of Object.entries(functions)) row(code(name), entry(body));
  row(0, 0);
  rom.setUint16(0x16, place, true);
  rom.setUint8(FLOAT_TABLE - 2, 0x20);
  row(code('SF'), FLOAT_TABLE);
  row(0, 0);
  floatFunctions(R).forEach((body, i) => {
    const missing = () => { throw new Error(`boot ROM float function ${i} is not there`); };
    rom.setUint32(FLOAT_TABLE + 4 * i, entry(body ?? missing), true);
  });
  const lookUp = () => {
    for (let row = R[0] >>> 0; ; row += 4) {
      const key = mcu.readUint16(row);
      if (key === 0 || key === (R[1] & 0xffff)) {
        R[0] = key === 0 ? 0 : mcu.readUint16(row + 2);
        return;
      }
    }
  };
  rom.setUint16(0x18, entry(lookUp), true);
  mcu.loadBootrom(new Uint32Array(rom.buffer));
  return bodies;
}
