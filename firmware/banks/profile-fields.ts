/** Fields that the profiles of several banks have. */
import { Type } from 'typebox';
import { LEAST_PAUSE, line, path } from './adapter.ts';
import type { PaymentMethod } from './method.ts';

/** @param otherwise the default where it is left out */
export const addressField = (otherwise: string) =>
  Type.Optional(line(1, 512, `the bank's address without query; https, or http on this machine; else ${otherwise}`));

/** Seconds that a profile may name: less is what the device does anyway, more than a minute finds no customer at the till. */
const PAUSES = ['2', '3', '5', '10', '15', '30', '60'] as const;

/** The field of a shop whose bank objects to the device's own pauses between two questions about a payment. */
export const PAUSE_FIELD = {
  [LEAST_PAUSE]: Type.Optional(
    Type.Enum([...PAUSES], {
      description:
        'least seconds between two questions about a payment, where the bank objects to more; else those of the device',
    }),
  ),
};

/** Field of the authorities to check the bank's certificate against. */
export const AUTHORITY = {
  caPath: path(
    'certificate',
    "authorities that the bank's own certificate is checked against, PEM; else the usual ones",
  ),
};

/** Fields of the shop's certificate and the bank's authorities: the files of `TlsFiles`. */
export const MUTUAL_TLS = {
  pfxPath: path('pkcs12', 'client certificate with its key, PKCS #12'),
  certPath: path('certificate', 'client certificate, PEM'),
  keyPath: path('key', 'key of the client certificate, PEM'),
  ...AUTHORITY,
};

/** The choices of the field `paymentMethods`, with the methods of each. */
const OFFERS = {
  sbp: ['sbp'],
  'digital-rouble': ['digital-rouble'],
  'sbp+digital-rouble': ['sbp', 'digital-rouble'],
} as const;
type Offer = keyof typeof OFFERS;

/** The payment methods of a code, for a bank that takes them with each code. */
export const PAYMENT_METHODS = {
  paymentMethods: Type.Optional(
    Type.Enum(Object.keys(OFFERS) as Offer[], { description: 'what a code may be paid by; else what the bank does' }),
  ),
};

/** The methods of the field `paymentMethods`; null where the bank decides. */
export const offeredMethods = (paymentMethods: Offer | undefined): readonly PaymentMethod[] | null =>
  paymentMethods === undefined ? null : OFFERS[paymentMethods];
