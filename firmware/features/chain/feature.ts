import type { Feature, Lane } from '../feature.ts';
import { CHAIN_REASONS } from './reason-records.ts';

/** What makes the name of an event that goes up one that nobody guesses. */
const NAMING_PURPOSE = 'name of an event';

/** Loaded where a chain is configured; nothing is sent before it is started. */
async function open({ config, dataDir, serial, sealer, terminal, logOf, ...lane }: Lane) {
  if (config.chain.urls.length === 0) return null;
  const { Upward } = await import('./upward.ts');
  const upward = new Upward({
    config: config.chain,
    speaker: {
      serial,
      nameOf: (event) => sealer.digest(event, NAMING_PURPOSE).toString('base64url'),
    },
    path: dataDir.file('chain-payments.json'),
    feed: terminal.events.feed,
    log: logOf('chain'),
    ...lane,
  });
  terminal.events.keepFor(upward.payments);
  return upward;
}

export const chain: Feature = { name: 'chain', open, reasons: CHAIN_REASONS };
