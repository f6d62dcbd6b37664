/** Which bank a profile opens. A new bank is a schema in `profile.ts`, a file here and a case below. */

import { bankAddressProblem } from '../../config/bank-address.ts';
import type { Bank } from './bank.ts';
import { readCertificates } from './certificates.ts';
import { CftBank } from './cft/cft.ts';
import type { BankProfile, CftProfile } from './profile.ts';
import { BankProfileError } from './profile-error.ts';
import { staticBank } from './static-bank.ts';

export interface BankContext {
  /** Address of the CFT bank for profiles without one of their own. */
  readonly cftBaseUrl: string | null;
  /** Where the sandbox bank answers; null where it does not run. */
  readonly sandboxBaseUrl: string | null;
}

/** What the sandbox is told where a bank would be told who is paid; any text would do. */
const SANDBOX_MERCHANT = { extEntityId: 'LANEWARE', merchantId: 'SANDBOX', accAlias: 'SANDBOX' } as const;

/** Printable ASCII. */
const HEADER_VALUE = /^[\x20-\x7e]*$/;

function addressOf({ baseUrl }: CftProfile, defaultUrl: string | null): string {
  const address = baseUrl ?? defaultUrl;
  if (address === null) {
    throw new BankProfileError('address', 'baseUrl', 'the CFT bank has no address: set it, or banks.cft.baseUrl');
  }
  const problem = bankAddressProblem(address);
  if (problem !== null) throw new BankProfileError('address', 'baseUrl', `it ${problem}`);
  return address;
}

async function openCft(profile: CftProfile, defaultUrl: string | null): Promise<CftBank> {
  const { bankName: _, password, baseUrl: __, pfxPath, certPath, keyPath, caPath, authsp, ...ids } = profile;
  const baseUrl = addressOf(profile, defaultUrl);
  if (authsp !== undefined && !HEADER_VALUE.test(authsp)) {
    throw new BankProfileError(
      'header',
      'authsp',
      'it is sent in an HTTP header, which takes Latin letters, digits and signs',
    );
  }
  const tls = await readCertificates({
    passphrase: password,
    ...(pfxPath !== undefined && { pfxPath }),
    ...(certPath !== undefined && { certPath }),
    ...(keyPath !== undefined && { keyPath }),
    ...(caPath !== undefined && { caPath }),
  });
  return new CftBank({ ...ids, baseUrl, tls, secrets: [password], ...(authsp !== undefined && { authsp }) });
}

function openSandbox(baseUrl: string | null): CftBank {
  if (baseUrl === null) {
    throw new BankProfileError('sandbox-off', 'bankName', 'the sandbox bank does not run here (sandboxBank.enabled)');
  }
  return new CftBank({ ...SANDBOX_MERCHANT, baseUrl });
}

/**
 * Names who is paid and where the bank is asked, whatever is shown there: profiles of one merchant are good for each
 * other's payments, such as before and after a certificate was renewed.
 */
export function merchantOf(profile: BankProfile, { cftBaseUrl }: BankContext): string {
  switch (profile.bankName) {
    case 'Static':
      return JSON.stringify(['Static', profile.staticQR]);
    case 'CFT': {
      const { accAlias, extEntityId, merchantId, authsp = null, baseUrl = cftBaseUrl } = profile;
      const address = baseUrl === null ? null : (URL.parse(baseUrl)?.href ?? baseUrl).replace(/\/+$/, '');
      return JSON.stringify(['CFT', address, accAlias, extEntityId, merchantId, authsp]);
    }
    case 'Sandbox':
      return JSON.stringify(['Sandbox']);
  }
}

/**
 * Opens the bank of a profile; nothing is sent yet. Close an online one when it is no longer needed.
 * @throws {BankProfileError}
 */
export async function openBank(profile: BankProfile, context: BankContext): Promise<Bank> {
  switch (profile.bankName) {
    case 'Static':
      return staticBank(profile.staticQR);
    case 'CFT':
      return openCft(profile, context.cftBaseUrl);
    case 'Sandbox':
      return openSandbox(context.sandboxBaseUrl);
  }
}
