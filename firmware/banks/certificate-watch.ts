/** Certificates of a bank's profile whose end stops registrations. */
import type { X509Certificate } from 'node:crypto';

export interface WatchedCertificate {
  /**
   * - `client`: by which the bank identifies the shop
   * - `authority`: against which the bank's certificate is checked
   */
  readonly kind: 'client' | 'authority';
  /** The profile's field that names its file. */
  readonly field: string;
  /** Its owner: the common name, else the whole subject. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
}

const COMMON_NAME = /^CN=(.+)$/m;

/** The owner of a certificate. */
export const holderOf = ({ subject }: X509Certificate): string => COMMON_NAME.exec(subject)?.[1] ?? subject;

export const watchedFile = (
  kind: 'client' | 'authority',
  field: string,
  certificate: X509Certificate,
): WatchedCertificate => ({
  kind,
  field,
  name: holderOf(certificate),
  validFrom: Date.parse(certificate.validFrom),
  validTo: Date.parse(certificate.validTo),
});
