/** Totals by payment method, of a day or a shift, and their words. */
import Type, { type Static } from 'typebox';
import { METHOD_NAMES, METHODS } from '../../banks/index.ts';

export const PaymentMethodName = Type.Enum(METHOD_NAMES, {
  title: 'PaymentMethod',
  description: Object.entries(METHODS)
    .map(([name, meaning]) => `\`${name}\`: ${meaning}`)
    .join('; '),
});

export const MethodTotals = Type.Object(
  {
    method: PaymentMethodName,
    count: Type.Integer(),
    sum: Type.Integer({ description: 'kopecks' }),
  },
  { title: 'MethodTotals' },
);
export type MethodTotals = Readonly<Static<typeof MethodTotals>>;
