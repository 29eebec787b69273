// An RP2040 that boots a real MicroPython image, in lock step with a test: one line of JSON in, so many milliseconds run, one
// line of JSON out. Processor and PIO run in step, so that waveforms have their true timing.
// usage: node emulator.mjs RP2040JS IMAGE FILESYSTEM SEED
// in:  {"ms": 5, "rx": "hex", "usb": "hex", "pressed": [2]}     pressed: GPIO numbers pulled to ground
// out: {"now": ms, "tx": "hex", "usb": "hex", "frames": [[ms, "rgb..."]], "display": "hex", "outOfSpec": 0, "reset": false, ...}
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';
import { installBootRom } from './bootrom.mjs';
import { DisplayProbe, StripProbe } from './probes.mjs';

const [, , library, imagePath, filesPath, seed] = process.argv;
const { RP2040, Simulator, USBCDC, ConsoleLogger, LogLevel, GPIOPinState } = await import(
  pathToFileURL(path.join(library, 'dist/esm/index.js'))
);

const CYCLE_NS = 8; // 125 MHz
const FILES_AT = 0xa0000; // where the Pico's file system begins in flash
const BYTE_NS = 86806; // ten bits at 115200 baud
const PINS = { strip: 16, clock: 6, data: 7, buttons: [2, 3, 4, 5] };
const ROSC = 0x40060;
const WATCHDOG = 0x40058;
const ROSC_RANDOM_BIT = 0x1c;
const UART_TX_INTERRUPT = 0x20;
// While no PIO program runs, clocks advance after this many instructions: 3 us at most between a timer and its interrupt.
const BATCH = 64;

const mcu = new Simulator().rp2040;
const { clock, core } = mcu;
mcu.logger = new ConsoleLogger(LogLevel.Error);
const romBodies = installBootRom(mcu);
mcu.flash.fill(0xff);
mcu.flash.set(fs.readFileSync(imagePath), 0);
const files = fs.readFileSync(filesPath);
const filesLength = files.length;
mcu.flash.set(files, FILES_AT);

// The ring oscillator's random bit, from which MicroPython makes os.urandom: xorshift, seeded by the test.
let random = Number(seed) | 1;
mcu.peripherals[ROSC].readUint32 = (offset) => {
  if (offset !== ROSC_RANDOM_BIT) return 0;
  random ^= random << 13;
  random ^= random >>> 17;
  random ^= random << 5;
  return random & 1;
};

// Pins.
const strip = new StripProbe();
const display = new DisplayProbe();
let pioNow = 0;
const onPin = (pin, tell) => mcu.gpio[pin].addListener((state) => tell(state === GPIOPinState.High));
onPin(PINS.strip, (high) => strip.edge(high, pioNow));
onPin(PINS.clock, (high) => display.clockEdge(high));
onPin(PINS.data, (high) => display.dataEdge(high));
for (const pin of PINS.buttons) mcu.gpio[pin].setInputValue(true);

// UART 0. rp2040js keeps its transmit interrupt raised; in the PL011 it is an edge when a byte has gone.
const uart = mcu.uart[0];
let sent = [];
let received = [];
let nextReceive = 0;
let sendingUntil = 0;
uart.checkInterrupts = function () {
  this.rp2040.setInterrupt(this.irq, !!(this.interruptStatus & this.interruptMask));
};
const byteGone = clock.createAlarm(() => {
  uart.interruptStatus |= UART_TX_INTERRUPT;
  uart.checkInterrupts();
});
uart.onByte = (byte) => {
  sent.push(byte);
  sendingUntil = Math.max(sendingUntil, clock.nanos) + BYTE_NS;
  byteGone.schedule(sendingUntil - clock.nanos);
};

// USB serial.
const usb = new USBCDC(mcu.usbCtrl);
let usbSent = [];
usb.onSerialData = (data) => usbSent.push(...data);

// A reset keeps the flash: it goes back into the file, and the test starts another emulator with it.
let reset = false;
mcu.peripherals[WATCHDOG].onWatchdogTrigger = () => {
  if (!reset) fs.writeFileSync(filesPath, mcu.flash.subarray(FILES_AT, FILES_AT + filesLength));
  reset = true;
};

// PIO, stepped by hand.
for (const pio of mcu.pio) pio.run = () => {};
const owed = new Map();
const busyMachines = () => {
  const busy = [];
  for (const pio of mcu.pio) {
    if (pio.stopped) continue;
    for (const machine of pio.machines) {
      if (machine.enabled && !(machine.waiting && machine.txFIFO.empty)) busy.push([pio, machine]);
    }
  }
  return busy;
};
function stepPio(busy, cycles) {
  for (const [pio, machine] of busy) {
    const divider = (machine.clockDivInt || 65536) + machine.clockDivFrac / 256;
    let due = (owed.get(machine) ?? 0) + cycles;
    while (due >= divider) {
      pioNow = clock.nanos - due * CYCLE_NS;
      const before = machine.cycles;
      machine.step();
      pio.checkChangedPins();
      due -= divider * Math.max(1, machine.cycles - before);
      if (machine.waiting && machine.txFIFO.empty) {
        due = 0;
        break;
      }
    }
    owed.set(machine, due);
  }
}

function execute(limit) {
  let cycles = 0;
  for (let i = 0; i < limit && !core.waiting; i++) {
    const body = core.PC < 0x4000 ? romBodies.get(core.PC) : undefined;
    if (body) body();
    cycles += core.executeInstruction() || 1;
  }
  return cycles;
}

function runUntil(end) {
  while (clock.nanos < end && !reset) {
    const busy = busyMachines();
    if (core.waiting) {
      const alarm = clock.nanosToNextAlarm > 0 ? clock.nanosToNextAlarm : 1000;
      const nap = Math.min(busy.length ? 1000 : 20000, alarm, Math.max(CYCLE_NS, end - clock.nanos));
      clock.tick(nap);
      stepPio(busy, nap / CYCLE_NS);
    } else {
      const cycles = execute(busy.length ? 1 : BATCH);
      clock.tick(cycles * CYCLE_NS);
      stepPio(busy, cycles);
    }
    if (received.length && clock.nanos >= nextReceive) {
      uart.feedByte(received.shift());
      nextReceive = clock.nanos + BYTE_NS;
    }
    strip.settle(clock.nanos);
  }
}

core.PC = 0x10000000;
for await (const line of readline.createInterface({ input: process.stdin })) {
  const step = JSON.parse(line);
  received.push(...Buffer.from(step.rx ?? '', 'hex'));
  for (const byte of Buffer.from(step.usb ?? '', 'hex')) usb.sendSerialByte(byte);
  for (const pin of PINS.buttons) mcu.gpio[pin].setInputValue(!(step.pressed ?? []).includes(pin));
  runUntil(clock.nanos + step.ms * 1e6);
  const said = {
    now: clock.nanos / 1e6,
    tx: Buffer.from(sent).toString('hex'),
    usb: Buffer.from(usbSent).toString('hex'),
    frames: strip.frames.map(([at, colours]) => [at / 1e6, colours]),
    display: display.patterns,
    highNs: strip.highNs,
    outOfSpec: strip.outOfSpec,
    reset,
  };
  [sent, usbSent, strip.frames] = [[], [], []];
  process.stdout.write(JSON.stringify(said) + '\n');
}
