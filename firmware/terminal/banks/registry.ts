/** Which bank a profile opens. A new bank is a schema in `profile.ts`, a file here and a case below. */
import type { Bank } from './bank.ts';
import { CftBank } from './cft.ts';
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

function openCft(profile: CftProfile, defaultUrl: string | null): CftBank {
  const { bankName: _, password, baseUrl = defaultUrl, pfxPath, certPath, keyPath, caPath, authsp, ...ids } = profile;
  if (baseUrl === null) {
    throw new BankProfileError('address', 'baseUrl', 'the CFT bank has no address: set baseUrl, or banks.cft.baseUrl');
  }
  if (!URL.canParse(baseUrl)) {
    throw new BankProfileError('address', 'baseUrl', 'the address of the CFT bank is not a URL');
  }
  const tls = {
    passphrase: password,
    ...(pfxPath !== undefined && { pfxPath }),
    ...(certPath !== undefined && { certPath }),
    ...(keyPath !== undefined && { keyPath }),
    ...(caPath !== undefined && { caPath }),
  };
  return new CftBank({ ...ids, baseUrl, tls, ...(authsp !== undefined && { authsp }) });
}

function openSandbox(baseUrl: string | null): CftBank {
  if (baseUrl === null) {
    throw new BankProfileError('sandbox-off', 'bankName', 'the sandbox bank does not run here (sandboxBank.enabled)');
  }
  return new CftBank({ ...SANDBOX_MERCHANT, baseUrl });
}

/**
 * Opens the bank of a profile; nothing is sent yet. Close an online one when it is no longer needed.
 * @throws {BankProfileError}
 */
export function openBank(profile: BankProfile, context: BankContext): Bank {
  switch (profile.bankName) {
    case 'Static':
      return staticBank(profile.staticQR);
    case 'CFT':
      return openCft(profile, context.cftBaseUrl);
    case 'Sandbox':
      return openSandbox(context.sandboxBaseUrl);
  }
}
