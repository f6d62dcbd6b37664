import type { Feature, Lane } from '../feature.ts';
import { CHAIN_REASONS } from './reason-records.ts';

/** Opens the connection where a chain is configured; nothing is sent before the start. */
async function open(lane: Lane) {
  if (lane.config.chain.urls.length === 0) return null;
  const { Upward } = await import('./upward.ts');
  const upward = new Upward(lane);
  lane.terminal.events.keepFor(upward.payments);
  return upward;
}

export const chain: Feature = { name: 'chain', open, reasons: CHAIN_REASONS };
