/** Certificates of tests, each its own authority. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeCertificate, type Validity } from '../../firmware/core/tls/certificate.ts';

export type { Validity };

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const twoDays = (): Validity => ({ from: new Date(Date.now() - MINUTE_MS), to: new Date(Date.now() + 2 * DAY_MS) });

/** For a name and this machine, valid for two days by default: NAME.crt and NAME.key. */
export function certify(folder: string, name: string, validity = twoDays()): void {
  const { certificate, key } = makeCertificate([name, '127.0.0.1'], undefined, validity);
  writeFileSync(join(folder, `${name}.crt`), certificate);
  writeFileSync(join(folder, `${name}.key`), key);
}
