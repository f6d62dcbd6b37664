/**
 * Certificates of devices: the device's own, the shop's where one is configured, and those of masters. The device
 * starts even where a certificate fails to load, and reports that. A peer is recognised by its certificate's digest.
 */

export { fingerprintOf, makeCertificate } from './certificate.ts';
export type { TlsConfig } from './config.ts';
export { openTls, type TlsIdentity } from './identity.ts';
export {
  CertificateError,
  MAX_CERTIFICATE_FILE_BYTES,
  type OwnNames,
  ownKey,
  readCertificateFile,
  selfSignedPair,
} from './pair.ts';
