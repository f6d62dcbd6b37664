/** Fields that the profiles of several banks have. */
import { Type } from 'typebox';
import { line, path } from './adapter.ts';

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
