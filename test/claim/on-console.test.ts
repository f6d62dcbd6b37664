/** A code for the technician on the board's consoles: shown while it stands on the display, and never longer. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Sign } from '../../firmware/core/access/claim-sign.ts';
import { onConsole } from '../../firmware/core/access/claim-sign.ts';
import { each, temporaryFolder } from '../support.ts';

const consoles = suite('a code on the consoles');

class Display implements Sign {
  isShown = false;
  hasDisplay = false;
  isBusy = false;
  onShow: () => void = () => undefined;

  show(): boolean {
    if (this.isBusy) return false;
    this.isShown = true;
    this.onShow();
    return true;
  }

  hide(): void {
    this.isShown = false;
  }
}

function onBoard(
  body: (board: { sign: Sign; display: Display; written: () => string | null; lines: string[]; at: Address }) => void,
  name = 'claim',
): () => void {
  return () => {
    using folder = temporaryFolder();
    const file = join(folder.path, name);
    const at = { address: 'https://192.0.2.20:8080/claim' };
    const [display, lines] = [new Display(), [] as string[]];
    const sign = onConsole(
      display,
      file,
      () => at.address,
      (message) => lines.push(message),
    );
    body({ sign, display, lines, at, written: () => (existsSync(file) ? readFileSync(file, 'utf8') : null) });
    if (existsSync(file)) assert.is(statSync(file).mode & 0o777, 0o600);
  };
}
const it = each(consoles, onBoard);

interface Address {
  address: string;
}

it('is written with its address as it is now, and taken back with the code', ({ sign, written, at, lines }) => {
  assert.ok(sign.show('AAAA-0000'));
  assert.is(written(), 'code=AAAA-0000\naddress=https://192.0.2.20:8080/claim\n');
  at.address = 'https://192.0.2.21:8080/claim';
  assert.ok(sign.show('AAAA-0000'));
  assert.is(written(), 'code=AAAA-0000\naddress=https://192.0.2.21:8080/claim\n');
  sign.hide();
  assert.is(written(), null);
  assert.ok(sign.show('BBBB-1111'));
  assert.equal(
    { isShown: sign.isShown, hasDisplay: sign.hasDisplay, lines },
    { isShown: true, hasDisplay: false, lines: [] },
  );
});

it('is not written while the display is a payment’s', ({ sign, display, written }) => {
  display.isBusy = true;
  assert.not.ok(sign.show('AAAA-0000'));
  assert.is(written(), null);
});

it('one that is hidden while it is being shown does not stay', ({ sign, display, written }) => {
  display.onShow = () => sign.hide();
  sign.show('AAAA-0000');
  assert.is(written(), null);
});

consoles(
  'a console that cannot be written costs the display nothing, and is logged without the code',
  onBoard(({ sign, display, lines }) => {
    assert.ok(sign.show('AAAA-0000'));
    assert.ok(display.isShown);
    assert.is(lines.length, 1);
    assert.not.match(lines.join(), 'AAAA');
    sign.hide();
    assert.not.ok(display.isShown);
  }, 'no/such/folder/claim'),
);

consoles.run();
