import type { Added, Feature, Lane } from '../feature.ts';
import { RECONCILIATION_ERRORS } from './error-records.ts';

async function open({ config, terminal }: Lane) {
  const [own, { configOf }, { Reconciliations }, { addReconciliationRoutes }] = await Promise.all([
    import('./config.ts'),
    import('../../core/config/index.ts'),
    import('./reconciliations.ts'),
    import('./routes.ts'),
  ]);
  const reconciliations = new Reconciliations(terminal.accounts, {
    registries: configOf(own.REGISTRIES, config),
    registryOperations: configOf(own.REGISTRY_OPERATIONS, config),
    bankTimeZone: configOf(own.BANK_TIME_ZONE, config),
  });
  return { addPaymentRoutes: (app) => addReconciliationRoutes(app, terminal, reconciliations) } satisfies Added;
}

export const reconciliation: Feature = {
  name: 'reconciliation',
  errors: RECONCILIATION_ERRORS,
  pages: { 'payments/reconcile': 'supervisor' },
  config: async () => {
    const { REGISTRIES, REGISTRY_OPERATIONS, BANK_TIME_ZONE } = await import('./config.ts');
    return [REGISTRIES, REGISTRY_OPERATIONS, BANK_TIME_ZONE];
  },
  open,
};
