/**
 * The far end of the serial display unplugged and plugged in again a hundred times during payments: the first bytes of
 * every connection are Clear and the current state, and nothing older is ever drawn.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Display, DisplayOptions, Picture } from '../../drivers/display/contract.ts';
import { serialConnector } from '../../drivers/display/wire/serial.ts';
import { type ConnectionLog, draw, SimulatedDisplay } from '../../drivers/display/wire/simulator-device.ts';
import { WireDisplay } from '../../drivers/display/wire/wire-display.ts';
import { TerminalError } from '../../firmware/payments/model/terminal-error.ts';
import { QUICK } from '../drivers/display/support.ts';
import { PtyDisplay } from '../tools/display/pty.ts';
import { openLane, TestBank, until } from './harness.ts';

const TURNS = 100;

const sameAs =
  (one: Picture) =>
  (other: Picture): boolean => {
    if (one.kind === 'qr') return other.kind === 'qr' && other.payload === one.payload;
    return (
      one.kind === other.kind && (one.kind !== 'status' || (other.kind === 'status' && other.status === one.status))
    );
  };

/** Pictures that a connection drew, without the Clear that stands before each code. */
function drawnBy({ frames }: ConnectionLog): Picture[] {
  const pictures: Picture[] = [];
  for (const frame of frames) {
    const picture = draw(pictures.at(-1) ?? { kind: 'clear' }, frame);
    if (frame.kind === 'qr' && pictures.at(-1)?.kind === 'clear') pictures.pop();
    pictures.push(picture);
  }
  return pictures;
}

/** Fails unless what a connection drew are, in order, pictures that were current since it came up. */
function nothingOlder(turn: number, log: ConnectionLog, history: readonly Picture[], since: number): void {
  let from = since;
  for (const picture of drawnBy(log)) {
    const at =
      picture.kind === 'clear'
        ? from
        : history.findIndex((candidate, index) => index >= from && sameAs(picture)(candidate));
    assert.ok(at >= 0, `connection ${turn} drew ${JSON.stringify(picture)}, which was not current any more`);
    from = Math.max(from, at);
  }
}

const refusals = (error: unknown): void => {
  if (!(error instanceof TerminalError)) throw error;
};

const test = suite('a serial display unplugged during payments');

test(`${TURNS} times: Clear and the current state first, nothing older ever`, async () => {
  const device = new SimulatedDisplay();
  const pty = new PtyDisplay(device);
  const open = (options: DisplayOptions): Display =>
    new WireDisplay({
      kind: 'serial',
      connect: serialConnector(pty.path(), undefined, pty.byIdDir),
      ...QUICK,
      ...options,
    });
  const bank = new TestBank();
  const lane = await openLane({ bank, open, symbolMs: 15 });
  const history: Picture[] = [lane.screen.picture];
  const since: number[] = [];
  lane.screen.onChange(() => {
    if (history.at(-1) !== lane.screen.picture) history.push(lane.screen.picture);
  });
  for (let turn = 0; turn < TURNS; turn += 1) {
    since.push(history.length - 1);
    await pty.plug();
    await until('the display is back', () => lane.screen.displayState.name === 'ready');
    const paying = lane.showQR(1000 + turn).catch(refusals);
    if (turn % 3 === 0) await paying;
    if (turn % 2 === 0)
      bank.verdicts.set(lane.bankId(bank.registered.length - 1), turn % 4 === 0 ? 'accepted' : 'rejected');
    await pause(turn % 9);
    await pty.unplug();
    await paying;
    await until('the loss is noticed', () => lane.screen.displayState.name !== 'ready');
  }
  await lane.stop();
  await pty.close();
  assert.is(device.connections.length, TURNS);
  for (const [turn, log] of device.connections.entries()) {
    const [first] = log.frames;
    assert.ok(
      first === undefined || (first.kind === 'command' && first.name === 'clear'),
      `connection ${turn} begins with Clear, and not with ${JSON.stringify(log.frames.slice(0, 3))}`,
    );
    assert.is(log.skipped, 0);
    nothingOlder(turn, log, history, since[turn] ?? 0);
  }
  const codes = device.connections.flatMap(drawnBy).filter(({ kind }) => kind === 'qr').length;
  assert.ok(codes > TURNS / 4, `codes were drawn (${codes})`);
});

test.run();
