// Probes on the Pico's pins: what a WS2812 strip and a TM1637 display would make of the edges.

// WS2812B data sheet: 0 is high for 220-380 ns, 1 for 580-1000 ns, a frame ends with 280 us low.
const ZERO_NS = [220, 380];
const ONE_NS = [580, 1000];
const LATCH_NS = 280000;

export class StripProbe {
  constructor() {
    this.frames = []; // [nanoseconds of the first edge, colours as RGB hex]
    this.outOfSpec = 0;
    this.highNs = { zero: [Infinity, 0], one: [Infinity, 0] };
    this.bits = [];
    this.startNs = 0;
    this.riseNs = 0;
    this.fallNs = 0;
  }

  edge(high, now) {
    if (high) {
      if (this.bits.length === 0) this.startNs = now;
      this.riseNs = now;
      return;
    }
    const width = now - this.riseNs;
    if (width === 0) return; // pin set-up, no pulse
    const one = width > 480;
    const [low, top] = one ? ONE_NS : ZERO_NS;
    if (width < low || width > top) this.outOfSpec++;
    const seen = this.highNs[one ? 'one' : 'zero'];
    seen[0] = Math.min(seen[0], width);
    seen[1] = Math.max(seen[1], width);
    this.bits.push(one ? 1 : 0);
    this.fallNs = now;
  }

  // Ends the frame when the line has been low for long enough.
  settle(now) {
    if (this.bits.length === 0 || now - this.fallNs < LATCH_NS) return;
    let colours = '';
    for (let i = 0; i + 24 <= this.bits.length; i += 24) {
      const grb = this.bits.slice(i, i + 24).reduce((value, bit) => value * 2 + bit, 0);
      const rgb = (((grb >> 8) & 255) << 16) | (((grb >> 16) & 255) << 8) | (grb & 255);
      colours += rgb.toString(16).padStart(6, '0');
    }
    this.frames.push([this.startNs, colours]);
    this.bits = [];
  }
}

// TM1637: start is data falling while the clock is high, stop is data rising; bits are taken as the clock rises.
export class DisplayProbe {
  constructor() {
    this.patterns = ''; // the four digits as hex
    this.clock = true;
    this.data = true;
    this.bits = null;
  }

  clockEdge(high) {
    if (high && !this.clock && this.bits !== null) this.bits.push(this.data ? 1 : 0);
    this.clock = high;
  }

  dataEdge(high) {
    if (this.clock && !high) this.bits = [];
    if (this.clock && high && this.bits !== null) this.command();
    this.data = high;
  }

  command() {
    const bytes = [];
    // Nine clocks a byte, the ninth being the chip's acknowledgement; the stop's own clock edge is left over.
    for (let i = 0; i + 9 <= this.bits.length; i += 9) {
      bytes.push(this.bits.slice(i, i + 8).reduce((value, bit, place) => value | (bit << place), 0));
    }
    this.bits = null;
    if (bytes[0] === 0xc0) this.patterns = Buffer.from(bytes.slice(1)).toString('hex');
  }
}
