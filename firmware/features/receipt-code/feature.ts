import type { Feature } from '../feature.ts';
import { RECEIPT_CODE_ERRORS } from './error-records.ts';

export const receiptCode: Feature = {
  name: 'receipt-code',
  open: async ({ terminal, clock }) => {
    const [{ ReceiptCode }, { addReceiptCodeRoutes }] = await Promise.all([
      import('./receipt-code.ts'),
      import('./routes.ts'),
    ]);
    const receiptCode = new ReceiptCode(terminal, clock);
    return {
      close: () => receiptCode.close(),
      addPaymentRoutes: (app) => addReceiptCodeRoutes(app, terminal, receiptCode),
    };
  },
  errors: RECEIPT_CODE_ERRORS,
};
