import type { Feature } from '../feature.ts';
import { CALL_ERRORS } from './error-records.ts';

export const callLog: Feature = {
  name: 'call-log',
  errors: CALL_ERRORS,
  pages: { integrate: 'technician' },
  open: async ({ clock }) => {
    const [{ CallLog }, { watchCalls }, { addCallRoutes }, { masked, mayHoldSecret }] = await Promise.all([
      import('./call-log.ts'),
      import('./watch-calls.ts'),
      import('./routes.ts'),
      import('../../payments/index.ts'),
    ]);
    const log = new CallLog();
    const masking = { masked, mayHoldSecret };
    return {
      addRoutes: (app) => addCallRoutes(app, log),
      watchCalls: (app, port) => watchCalls(app, { log, masking, now: () => clock.wall(), port }),
      revision: log,
    };
  },
};
