/** Profiles of the banks that run the RBS gateway. */
import { type Static, Type } from 'typebox';
import { bankAdapter, checkedAddress, line, plainAddress, unusableField, WHOLE_RANGE } from '../adapter.ts';
import { readCertificates } from '../certificates.ts';
import type { BankSettingsCategory } from '../error-records.ts';
import { isTestAddress } from '../payment-link.ts';
import { AUTHORITY, PAUSE_FIELD } from '../profile-fields.ts';
import { Rbs } from './rbs.ts';
import { RBS_TEST_HOSTS } from './rbs-gateway.ts';
import { SberPartner } from './sber-partner.ts';

interface Gateway<Name extends string> {
  readonly name: Name;
  readonly aliases: readonly string[];
  readonly distinctiveFields?: readonly string[];
  /** The bank's address unless a profile names another. Source: public clients, one for each host. */
  readonly baseUrl: string;
  readonly settingsErrors?: BankSettingsCategory;
}

const profileOf = <Name extends string>(name: Name, baseUrl: string) =>
  Type.Object(
    {
      bankName: Type.Literal(name),
      userName: line(1, 100, "the shop's login at the gateway, most often with -api at its end"),
      password: line(1, 512, 'of that login; a secret'),
      baseUrl: Type.Optional(
        line(
          1,
          512,
          `the gateway's address up to /rest, without query; https, or http on this machine; else ${baseUrl}, which is known only from public client code`,
        ),
      ),
      ...AUTHORITY,
      ...PAUSE_FIELD,
      merchantLogin: Type.Optional(line(1, 255, 'of the merchant whom the login acts for')),
      account: Type.Optional(line(1, 20, 'the account that is paid to, where the login has several')),
      memberId: Type.Optional(line(1, 12, "the bank's id in the payment system")),
      tspMerchantId: Type.Optional(line(1, 12, "the shop's id in the payment system")),
      returnUrl: Type.Optional(
        line(1, 512, "where a payer's browser would go, which is never used; else the gateway's own address"),
      ),
    },
    { additionalProperties: false },
  );

const rbsAdapter = <Name extends string>({ name, baseUrl: ownUrl, ...names }: Gateway<Name>) =>
  bankAdapter({
    name,
    ...names,
    schema: profileOf(name, ownUrl),
    secretFields: ['password'],
    capabilities: {
      ...WHOLE_RANGE,
      orderId: { maxLength: 36, charset: /^[\x21-\x7e]+$/, words: 'Latin letters, digits and signs' },
      maxPurpose: 140,
      findsOrders: true,
    },
    merchant: ({ userName, baseUrl = ownUrl, merchantLogin, account, memberId, tspMerchantId }) => [
      ...[plainAddress(baseUrl), userName, merchantLogin ?? null],
      ...[account ?? null, memberId ?? null, tspMerchantId ?? null],
    ],
    isForTest: ([address]) => isTestAddress(address, RBS_TEST_HOSTS),
    trial: {
      untried: ['account', 'memberId', 'tspMerchantId'],
      culprit: ({ isUnauthorized }) => (isUnauthorized ? 'password' : null),
    },
    loginParts: 3, // the other parts are only sent with the request for a code
    async open(profile, context) {
      const { userName, password, caPath, merchantLogin, account, memberId, tspMerchantId } = profile;
      const baseUrl = checkedAddress(profile.baseUrl ?? ownUrl);
      const tls = await readCertificates({ caPath }, context);
      return new Rbs({
        baseUrl,
        userName,
        password,
        tls,
        log: context.log,
        returnUrl: profile.returnUrl ?? `${new URL(baseUrl).origin}/`,
        payee: {
          ...(account !== undefined && { account }),
          ...(memberId !== undefined && { memberId }),
          ...(tspMerchantId !== undefined && { tspMerchantId }),
        },
        ...(merchantLogin !== undefined && { merchantLogin }),
      });
    },
  });

export const ALFA = rbsAdapter({
  name: 'Alfa Bank',
  aliases: ['alfa', 'альфа', 'альфабанк'],
  distinctiveFields: ['userName'],
  baseUrl: 'https://payment.alfabank.ru/payment/rest',
  settingsErrors: 'AlfaBankSettings',
});

const OLDER_SBER = rbsAdapter({
  name: 'Sber',
  aliases: ['sberbank', 'сбер', 'сбербанк'],
  baseUrl: 'https://securepayments.sberbank.ru/payment/rest',
});

/** The host that the bank's own pages name; a login may have another one. */
const PARTNER_URL = 'https://ecommerce.sberbank.ru/ecomm/gw/partner/api/v1';
/** What the newer gateway has no field for. */
const OLDER_FIELDS = ['account', 'memberId', 'tspMerchantId'] as const;

const SberProfile = Type.Object(
  {
    ...OLDER_SBER.schema.properties,
    gateway: Type.Optional(
      Type.Enum(['rbs', 'partner'], {
        description: `rbs, the older gateway (forms), or partner, the present one (JSON), whose address is ${PARTNER_URL}; else rbs`,
      }),
    ),
  },
  { additionalProperties: false },
);

const addressed = ({ gateway, ...profile }: Static<typeof SberProfile>) =>
  gateway === 'partner' ? { baseUrl: PARTNER_URL, ...profile } : profile;

export const SBER = bankAdapter({
  ...OLDER_SBER,
  schema: SberProfile,
  freeFields: ['gateway'],
  // no source describes calls about a code there: only the state of the order is read
  askingAt: ({ gateway }) => ({ showsProcessing: gateway !== 'partner' }),
  merchant: (profile, context) => OLDER_SBER.merchant?.(addressed(profile), context) ?? [],
  async open(profile, context) {
    const older = addressed(profile);
    if (profile.gateway !== 'partner') return OLDER_SBER.open(older, context);
    const { userName, password, caPath, merchantLogin, returnUrl } = profile;
    const field = OLDER_FIELDS.find((name) => profile[name] !== undefined);
    if (field !== undefined) throw unusableField(field, 'the present gateway of Sber has no such field');
    const baseUrl = checkedAddress(older.baseUrl ?? PARTNER_URL);
    const tls = await readCertificates({ caPath }, context);
    return new SberPartner({
      baseUrl,
      userName,
      password,
      tls,
      log: context.log,
      returnUrl: returnUrl ?? `${new URL(baseUrl).origin}/`,
      ...(merchantLogin !== undefined && { merchantLogin }),
    });
  },
});

export const VTB = rbsAdapter({
  name: 'VTB',
  aliases: ['vtbbank', 'втб', 'банквтб'],
  baseUrl: 'https://platezh.vtb24.ru/payment/rest',
});

export const MTS = rbsAdapter({
  name: 'MTS Bank',
  aliases: ['mts', 'мтс', 'мтсбанк'],
  baseUrl: 'https://oplata.mtsbank.ru/payment/rest',
});
