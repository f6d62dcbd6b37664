/** Watches the certificates of one bank whose end stops registrations. */
import type { X509Certificate } from 'node:crypto';
import type { PeerCertificate } from 'node:tls';

export interface WatchedCertificate {
  /**
   * - `client`: what the bank knows us by
   * - `authority`: what the bank's own is checked against
   * - `bank`: its own, as it came with the last connection
   */
  readonly kind: 'client' | 'authority' | 'bank';
  /** The profile's field that names its file; null for one that came over the wire. */
  readonly field: string | null;
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

/** Made anew each time a bank is opened. */
export class CertificateWatch {
  #files: readonly WatchedCertificate[] = [];
  #bank: WatchedCertificate | null = null;

  get all(): readonly WatchedCertificate[] {
    return this.#bank === null ? this.#files : [...this.#files, this.#bank];
  }

  /** @param files all files that the profile, and the device for it, name */
  read(files: readonly WatchedCertificate[]): void {
    this.#files = files;
  }

  /** Notes the bank's certificate of each connection that is not a resumed session. */
  seen({ subject, valid_from, valid_to }: PeerCertificate): void {
    const dates = { validFrom: Date.parse(valid_from), validTo: Date.parse(valid_to) };
    this.#bank = { kind: 'bank', field: null, name: String(subject?.CN ?? '?'), ...dates };
  }
}
