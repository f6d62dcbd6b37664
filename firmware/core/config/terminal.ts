/** Configuration of payments: the terminal and its banks. */
import Type, { type Static } from 'typebox';
import { DISPLAY_LANGUAGES } from '../../../drivers/lib/languages.ts';
import { patternWithMessage } from '../schema/index.ts';
import { MAX_TTL_MINUTES } from './choices.ts';
import { closed, host, megabytes, nullable, port } from './kinds.ts';
import { TERMINAL_PORT } from './limits.ts';

const column = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

/** Names of the columns of a bank's registry: in a call, or once in the configuration. */
export const RegistryColumns = Type.Object(
  {
    order: column('our order id (`id` of the payment)'),
    bank: column("the bank's id of the payment, or the id of the code"),
    transaction: column("the payment system's id of the transaction"),
    refund: column("the refund's id: where neither type nor sign shows it, a line that has one is a refund"),
    type: column(
      'what the line is: one that speaks of a return is a refund; so is each negative amount; one of another word is listed under it, and is neither',
    ),
    method: column('how it was paid, in the words of the bank'),
    amount: column('roubles'),
    date: column("the day, by the bank's clock"),
    commission: column('what the bank keeps of it, roubles'),
    payout: column('what the bank pays of it, roubles'),
  },
  {
    title: 'RegistryColumns',
    description:
      'names of the columns, where they are not those of Raiffeisenbank; one of the first twenty lines of the file has them',
    additionalProperties: false,
  },
);
export type RegistryColumns = Static<typeof RegistryColumns>;

export const KnownOperations = Type.Record(Type.String(), Type.Enum(['payment', 'refund']), {
  description: 'what words of the column `type` mean that this device does not know: `{"BUY": "payment"}`',
});
export type KnownOperations = Static<typeof KnownOperations>;

/** Whether these columns suffice to compare lines. */
export const areEnough = ({ order, bank, transaction, amount }: RegistryColumns): boolean =>
  amount !== undefined && [order, bank, transaction].some((name) => name !== undefined);

/** Minutes: a code lives no longer, so that a customer who has gone does not pay for another's goods. */
const HOUR = 60;

/** Largest limit for all refunds of a day: more than a lane takes. */
const MOST_KOPECKS = 1_000_000_000_000;

const kopecksOrNull = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: MOST_KOPECKS }), { default: null, description });

/** @param who who refunds @param of whose refunds of a day are summed up */
const refundLimits = (who: string, of: string) =>
  Type.Object(
    {
      each: kopecksOrNull(
        `kopecks that ${who} refunds at once [without a supervisor](after-payment.md#limits); null: all that was paid`,
      ),
      day: kopecksOrNull(`kopecks that ${who} refunds in a day, ${of}; null: no limit`),
    },
    closed,
  );

export const TerminalConfig = Type.Object(
  {
    host: host('127.0.0.1'),
    port: port(TERMINAL_PORT),
    exportRoots: nullable(Type.Array(Type.String({ minLength: 1 })), {
      default: null,
      description: 'folders that `exportToCSV` may write to; null: any',
    }),
    exportsMb: megabytes(1024, 'room of the folder of exports; a further one is refused'),
    ledgerCopyDir: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description:
        'another medium; its folder named by the serial number keeps a second copy of the ledger; null: none',
    }),
    journalYears: Type.Integer({
      default: 5,
      minimum: 1,
      maximum: 100,
      description:
        'how long days of the journal of payments are kept (years); Russian law (402-FZ, article 29) wants records of accounting kept for five years after the year',
    }),
    idleQR: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'what the idle display shows as a QR code; null: nothing',
    }),
    displayLanguage: Type.Enum([...DISPLAY_LANGUAGES], {
      default: 'both',
      description: "language of the customer's display; both: Russian with English below it",
    }),
    unreadMs: Type.Integer({
      default: 120_000,
      minimum: 0,
      maximum: 3_600_000,
      description:
        'how long an accepted payment may stay unread before it is [late](operator.md#late-payments) (milliseconds); 0: for ever',
    }),
    ttlMaxMinutes: Type.Integer({
      default: HOUR,
      minimum: HOUR,
      maximum: MAX_TTL_MINUTES,
      description: 'the longest `ttl` of a code (minutes)',
    }),
    registries: Type.Record(Type.String(), RegistryColumns, {
      default: {},
      description: 'columns of [banks’ registries](after-payment.md#reconciliation), by profile',
    }),
    registryOperations: { ...KnownOperations, default: {} },
    bankTimeZone: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'time zone of banks’ days; null: `Europe/Moscow` where a registry says МСК, else that of the device',
    }),
    refundLimits: Type.Object(
      {
        till: refundLimits('a till', 'each of `api.tills` by itself'),
        cashier: refundLimits('a cashier with the PIN', 'all cashiers together'),
      },
      closed,
    ),
    shiftCloseAt: nullable(
      Type.String({ pattern: patternWithMessage('^([01]\\d|2[0-3]):[0-5]\\d$', 'must be a time as 23:30') }),
      {
        default: null,
        description: 'when the device closes [the shift](after-payment.md#shifts) by itself, as `23:30`; null: never',
      },
    ),
  },
  closed,
);

export const BanksConfig = Type.Object(
  {
    cft: Type.Object(
      {
        baseUrl: nullable(Type.String(), {
          default: null,
          description: "the CFT bank's address, https; http on this machine only; a profile may carry its own",
        }),
      },
      closed,
    ),
    caPath: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description:
        'further authorities for the certificates of all banks, PEM, as the Russian Trusted Root CA; `caPath` of a profile replaces all',
    }),
  },
  closed,
);
