import type { Feature } from '../feature.ts';
import { PRINTED_CODE_ERRORS } from './error-records.ts';

export const printedCodes: Feature = {
  name: 'printed-codes',
  open: async ({ recognition }) => {
    const { addPrintedCodes } = await import('./routes.ts');
    return { addRoutes: (app) => addPrintedCodes(app, recognition) };
  },
  errors: PRINTED_CODE_ERRORS,
};
