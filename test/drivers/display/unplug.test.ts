/**
 * The far end unplugged and plugged in again, a hundred times, while codes are being drawn. What arrives over each
 * connection is compared byte for byte with Clear, what was current when it came up, and what was asked for since.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAR, type DisplayError, type Picture } from '../../../drivers/display/contract.ts';
import { bleConnector } from '../../../drivers/display/wire/ble.ts';
import { encodeAfresh, encodePicture } from '../../../drivers/display/wire/frames.ts';
import { serialConnector } from '../../../drivers/display/wire/serial.ts';
import { type ConnectionLog, SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { type Connect, WireDisplay } from '../../../drivers/display/wire/wire-display.ts';
import { pause } from '../../../drivers/lib/async.ts';
import { PtyDisplay } from '../../tools/display/pty.ts';
import { FakeBluez } from './bluez.ts';
import { QUICK, qr, ready, until } from './support.ts';

const hex = (frames: readonly Uint8Array[]): string[] => frames.map((frame) => Buffer.from(frame).toString('hex'));

/** A payment terminal in small: owns what is current, and takes back what could not be drawn. */
class Till {
  readonly display: WireDisplay;
  current: Picture = CLEAR;
  /** What each connection may bring, in order: what was current, then what was asked for. */
  readonly allowed: string[][] = [];
  drawn = 0;
  failed = 0;
  #number = 0;

  constructor(kind: 'serial' | 'ble', connect: Connect) {
    this.display = new WireDisplay({ kind, connect, ...QUICK, current: () => this.current });
  }

  /** To be called when the display is ready on a new connection. */
  connected(): void {
    this.allowed.push(hex(encodeAfresh(this.display.kind, this.current)));
  }

  async pay(): Promise<void> {
    this.#number += 1;
    const before = this.current;
    this.current = qr(`https://example.org/payment/${this.#number}?${'x'.repeat(this.#number % 90)}`);
    if (this.display.state.name === 'ready') {
      this.allowed.at(-1)?.push(...hex(encodePicture(this.display.kind, this.current)));
    }
    await this.display.show(this.current).then(
      () => {
        this.drawn += 1;
      },
      (_error: DisplayError) => {
        this.failed += 1;
        this.current = before.kind === 'qr' ? { kind: 'status', status: 'failure' } : CLEAR;
      },
    );
  }
}

function checkConnection(log: ConnectionLog | undefined, allowed: readonly string[] | undefined, turn: number): void {
  if (!log || !allowed) throw new Error(`connection ${turn} is missing`);
  const came = hex(log.frames.map(({ raw }) => raw));
  assert.equal(came, allowed.slice(0, came.length), `connection ${turn} brought what it must not`);
  assert.is(log.skipped, 0, `connection ${turn} brought bytes that belong to no frame`);
}

interface Wire {
  plug(turn: number): Promise<void>;
  unplug(): Promise<void>;
}

async function unplugAndReplug(till: Till, device: SimulatedDisplay, wire: Wire, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await wire.plug(turn);
    await ready(till.display);
    till.connected();
    const afresh = till.allowed[turn]?.length ?? 0;
    await until('the first frames have come', () => (device.connections[turn]?.frames.length ?? 0) >= afresh);
    const paying = [till.pay(), till.pay(), till.pay()];
    // from the middle of the first frame to after the last one, in turn
    await pause(turn % 7);
    await wire.unplug();
    await until('the loss is noticed', () => till.display.state.name !== 'ready');
    await Promise.all(paying);
    await till.pay();
    checkConnection(device.connections[turn], till.allowed[turn], turn);
  }
  assert.is(device.connections.length, turns);
}

const unplug = suite('unplugged displays');

unplug(
  'a serial display unplugged 100 times under codes draws Clear and the current state first, and nothing older',
  async () => {
    const device = new SimulatedDisplay();
    const pty = new PtyDisplay(device);
    const connect = serialConnector(pty.path('ttyACM0'), undefined, pty.byIdDir);
    const till = new Till('serial', connect);
    const wire: Wire = { plug: (turn) => pty.plug(`ttyACM${turn % 3}`, 'usb-display'), unplug: () => pty.unplug() };
    await unplugAndReplug(till, device, wire, 100);
    assert.ok(till.drawn > 0 && till.failed > 100, `${till.drawn} drawn, ${till.failed} failed`);
    await till.display.close();
    await pty.close();
  },
);

unplug(
  'a BLE display dropped 25 times under codes draws Clear and the current state first, and nothing older',
  async () => {
    const device = new SimulatedDisplay();
    const bluez = new FakeBluez(device);
    await bluez.start();
    bluez.faults.hidden = true;
    const till = new Till('ble', bleConnector({ address: bluez.address, name: null }, undefined, { settleMs: 0 }));
    const wire: Wire = {
      plug: () => {
        bluez.faults.hidden = false;
        return Promise.resolve();
      },
      unplug: () => {
        bluez.faults.hidden = true;
        bluez.drop();
        return Promise.resolve();
      },
    };
    await unplugAndReplug(till, device, wire, 25);
    assert.ok(till.failed > 25, `${till.drawn} drawn, ${till.failed} failed`);
    await till.display.close();
    await bluez.close();
  },
);

unplug.run();
