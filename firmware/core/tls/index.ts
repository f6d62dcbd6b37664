/**
 * Certificates of devices: the device's own, the shop's where one is configured, and those of masters. A certificate that
 * fails to load is reported, and the device still starts. Peers are known by the digest of their certificate.
 */
export { fingerprintOf, makeCertificate } from './certificate.ts';
export { openTls, type TlsIdentity } from './identity.ts';
export {
  CertificateError,
  MAX_CERTIFICATE_FILE_BYTES,
  type OwnNames,
  ownKey,
  readCertificateFile,
  selfSignedPair,
} from './pair.ts';
