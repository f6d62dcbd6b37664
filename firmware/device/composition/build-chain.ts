/** What a device sends to its chain put together. */

import type { Sealer } from '../../core/store/index.ts';
import type { Upward } from '../../features/chain/index.ts';
import type { Terminal } from '../../payments/index.ts';
import type { Sync } from '../../sync/index.ts';
import type { Base } from '../base.ts';

interface UpwardParts {
  readonly sealer: Sealer;
  readonly terminal: Terminal;
  readonly sync: Sync;
}

/** What makes the name of an event that goes up one that nobody guesses. */
const NAMING_PURPOSE = 'name of an event';

/** Loaded where a chain is configured; nothing is sent before it is started. */
export async function buildUpward(base: Base, { sealer, terminal, sync }: UpwardParts): Promise<Upward | null> {
  const { config, dataDir, serial, clock, health, metrics, log } = base;
  if (config.chain.urls.length === 0) return null;
  const { Upward } = await import('../../features/chain/upward.ts');
  const upward = new Upward({
    config: config.chain,
    speaker: {
      serial,
      nameOf: (event) => sealer.digest(event, NAMING_PURPOSE).toString('base64url'),
    },
    path: dataDir.file('chain-payments.json'),
    feed: terminal.events,
    role: () => sync.status().role,
    ...{ health, metrics, clock, log },
  });
  terminal.keepEventsFor(upward.payments);
  return upward;
}
