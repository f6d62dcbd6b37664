/** How payments were paid, as totals of a day or a shift, and in words. */
import Type, { type Static } from 'typebox';
import { METHOD_NAMES, METHODS, type PaymentMethod } from '../../banks/index.ts';
import type { PageLanguage } from '../../core/http/index.ts';

export const METHOD_IN = {
  ru: {
    sbp: 'СБП',
    'digital-rouble': 'Цифровые рубли',
    card: 'Карта',
    'bank-service': 'Сервис банка',
    unknown: 'Способ не указан',
  },
  en: {
    sbp: 'SBP',
    'digital-rouble': 'Digital roubles',
    card: 'Card',
    'bank-service': 'Bank service',
    unknown: 'Method not stated',
  },
} as const satisfies Readonly<Record<PageLanguage, Readonly<Record<PaymentMethod, string>>>>;

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
