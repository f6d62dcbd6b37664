/** Fields that the profiles of several banks have. */
import { Type } from 'typebox';
import { line, path } from './adapter.ts';
import type { PaymentMethod } from './method.ts';

/** @param otherwise what is taken where it is left out */
export const addressField = (otherwise: string) =>
  Type.Optional(line(1, 512, `the bank's address without query; https, or http on this machine; else ${otherwise}`));

/** What a bank's own certificate is checked against. */
export const AUTHORITY = {
  caPath: path(
    'certificate',
    "authorities that the bank's own certificate is checked against, PEM; else the usual ones",
  ),
};

/** What a bank knows the shop by, and what is known of the bank: the files of `TlsFiles`. */
export const MUTUAL_TLS = {
  pfxPath: path('pkcs12', 'client certificate with its key, PKCS #12'),
  certPath: path('certificate', 'client certificate, PEM'),
  keyPath: path('key', 'key of the client certificate, PEM'),
  ...AUTHORITY,
};

/** What a shop may choose: a text for each choice, as a form shows it. */
const OFFERS = {
  sbp: ['sbp'],
  'digital-rouble': ['digital-rouble'],
  'sbp+digital-rouble': ['sbp', 'digital-rouble'],
} as const;
type Offer = keyof typeof OFFERS;

/** What a code may be paid by, for the profile of a bank that is told so with each code. */
export const PAYMENT_METHODS = {
  paymentMethods: Type.Optional(
    Type.Union(
      (Object.keys(OFFERS) as Offer[]).map((offer) => Type.Literal(offer)),
      { description: 'what a code may be paid by; else what the bank does' },
    ),
  ),
};

/** The methods of such a field; null where the bank decides. */
export const offeredMethods = (paymentMethods: Offer | undefined): readonly PaymentMethod[] | null =>
  paymentMethods === undefined ? null : OFFERS[paymentMethods];
