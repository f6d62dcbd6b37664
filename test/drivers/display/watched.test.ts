/** What every wire's connection has: one end, and one giving back. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DisplayError } from '../../../drivers/display/contract.ts';
import { WatchedConnection } from '../../../drivers/display/wire/link.ts';

const test = suite('display: a watched connection');

/** Long enough that no look at it comes by itself. */
const NEVER_MS = 3_600_000;

class Watched extends WatchedConnection {
  givenBack = 0;

  constructor() {
    super(NEVER_MS);
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  async write(): Promise<void> {
    throw new Error('nothing is written');
  }

  override async checkPresence(): Promise<void> {
    this.end(new DisplayError('serial', 'lost', 'the display is gone'));
  }

  protected override async release(): Promise<void> {
    this.givenBack += 1;
    this.end(new DisplayError('serial', 'closed', 'closed'));
  }
}

test('it ends once, with its first reason, and is given back once', async () => {
  const wire = new Watched();
  assert.is(wire.hasEnded, false);
  await wire.checkPresence();
  assert.is(wire.hasEnded, true);
  await Promise.all([wire.close(), wire.close()]);
  assert.is(wire.givenBack, 1);
  assert.is((await wire.closed).code, 'lost');
});

test.run();
