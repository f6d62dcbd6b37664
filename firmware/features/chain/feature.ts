import type { Feature, Lane } from '../feature.ts';
import { CHAIN_REASONS } from './reason-records.ts';

/** Prepares the connection where a chain is configured; it sends nothing before `start`. */
async function open(lane: Lane) {
  const [{ CHAIN_CONFIG }, { configOf }] = await Promise.all([
    import('./config.ts'),
    import('../../core/config/index.ts'),
  ]);
  const config = configOf(CHAIN_CONFIG, lane.config);
  if (config.urls.length === 0) return null;
  const { ChainConnection } = await import('./chain-connection.ts');
  const connection = new ChainConnection(lane, config);
  lane.terminal.events.addRecipient(connection.payments);
  return connection;
}

export const chain: Feature = {
  name: 'chain',
  config: async () => [(await import('./config.ts')).CHAIN_CONFIG],
  open,
  reasons: CHAIN_REASONS,
};
