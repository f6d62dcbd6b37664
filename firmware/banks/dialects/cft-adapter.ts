/** The profile of a CFT bank: its fields, its address, its certificate. */
import { type Static, Type } from 'typebox';
import {
  bankAdapter,
  checkedAddress,
  headerText,
  line,
  MISSING_HERE,
  plainAddress,
  unusableField,
  WHOLE_RANGE,
} from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import { isTestAddress } from '../payment-link.ts';
import { addressField, MUTUAL_TLS } from '../profile-fields.ts';
import { CFT_TEST_HOSTS, CftBank } from './cft.ts';

const CftProfile = Type.Object(
  {
    bankName: Type.Literal('CFT'),
    accAlias: line(1, 128, "the bank's alias of the account that is paid to"),
    extEntityId: line(1, 128, "the bank's id of the company"),
    merchantId: line(1, 128, "the bank's id of the point of sale"),
    password: line(0, 512, 'opens the client certificate (its passphrase); a secret'),
    baseUrl: addressField('banks.cft.baseUrl'),
    ...MUTUAL_TLS,
    authsp: Type.Optional(line(1, 128, 'header authsp, where the bank asks for one')),
  },
  { additionalProperties: false },
);
type CftProfile = Static<typeof CftProfile>;

function addressOf({ baseUrl }: CftProfile, defaultUrl: string | null): string {
  const address = baseUrl ?? defaultUrl;
  if (address === null) {
    const why = 'the device has no address of the CFT bank: set it, or banks.cft.baseUrl in the configuration';
    throw unusableField('baseUrl', why, undefined, MISSING_HERE);
  }
  return checkedAddress(address);
}

export const CFT = bankAdapter({
  name: 'CFT',
  aliases: ['цфт'],
  schema: CftProfile,
  distinctiveFields: ['accAlias', 'extEntityId'],
  secretFields: ['password'],
  capabilities: WHOLE_RANGE,
  // without a certificate it opens nothing, and a certificate may need none
  mayBeBlank: (field) => field === 'password',
  settingsErrors: 'CFTBankSettings',
  merchant({ accAlias, extEntityId, merchantId, authsp = null, baseUrl }, { cftBaseUrl }) {
    const address = baseUrl ?? cftBaseUrl;
    return [address === null ? null : plainAddress(address), accAlias, extEntityId, merchantId, authsp];
  },
  isForTest: ([address]) => isTestAddress(address, CFT_TEST_HOSTS),
  trial: {
    untried: ['accAlias', 'extEntityId', 'merchantId'],
    culprit: ({ isUnauthorized }, { pfxPath, certPath, authsp }) => {
      if (!isUnauthorized) return null;
      if (certPath !== undefined) return 'certPath';
      return pfxPath === undefined && authsp !== undefined ? 'authsp' : 'pfxPath';
    },
  },
  async open(profile, context) {
    const { bankName: _, password, baseUrl: __, pfxPath, certPath, keyPath, caPath, authsp, ...ids } = profile;
    const baseUrl = addressOf(profile, context.cftBaseUrl);
    if (authsp !== undefined) headerText('authsp', authsp);
    const tls = await readCertificates(
      { passphrase: password, passphraseField: 'password', pfxPath, certPath, keyPath, caPath },
      context,
    );
    return new CftBank({ ...ids, baseUrl, tls, secrets: [password], ...(authsp !== undefined && { authsp }) });
  },
});
