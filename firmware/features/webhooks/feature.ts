import type { Added, Feature, Lane } from '../feature.ts';
import { WEBHOOK_ERRORS, WEBHOOK_REASONS } from './records.ts';

async function open({ config, dataDir, clock, health, terminal, logOf }: Lane) {
  const [{ WEBHOOKS_CONFIG }, { Webhooks }, { configOf }, { degradedBy }] = await Promise.all([
    import('./config.ts'),
    import('./webhooks.ts'),
    import('../../core/config/index.ts'),
    import('../../core/host/index.ts'),
  ]);
  const log = logOf('terminal');
  const webhooks = new Webhooks(configOf(WEBHOOKS_CONFIG, config), dataDir.file('webhooks.db'), terminal.outbox, {
    feed: terminal.events,
    clock,
    random: Math.random,
    log: (message, details = {}) => log.info(details, message),
  });
  terminal.events.addRecipient(webhooks);
  if (webhooks.isConfigured) health.add('webhooks', () => degradedBy(...webhooks.problems));
  return {
    start: () => webhooks.start(),
    close: () => webhooks.close(),
    addPaymentRoutes: async (app) => (await import('./routes.ts')).addWebhookRoutes(app, webhooks, clock),
  } satisfies Added;
}

export const webhooks: Feature = {
  name: 'webhooks',
  config: async () => [(await import('./config.ts')).WEBHOOKS_CONFIG],
  open,
  databases: { 'webhooks.db': async () => (await import('./delivery-book.ts')).DELIVERY_MIGRATIONS },
  errors: WEBHOOK_ERRORS,
  reasons: WEBHOOK_REASONS,
};
