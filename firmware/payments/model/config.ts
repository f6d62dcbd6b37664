/** Configuration of payments: exports, the ledger, the display, limits, the close of shifts. */
import Type, { type Static } from 'typebox';
import { DISPLAY_LANGUAGES } from '../../../drivers/lib/languages.ts';
import { type ConfigPart, closed, MAX_TTL_MINUTES, megabytes, nullable } from '../../core/config/index.ts';
import { patternWithMessage } from '../../core/schema/index.ts';

/** Minutes. By default no code lives longer, so that a customer who has gone does not pay for another's goods. */
const HOUR = 60;

/** Largest limit for all refunds of a day, in kopecks: more than a lane sells. */
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

const TerminalConfig = Type.Object(
  {
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
export type TerminalConfig = Static<typeof TerminalConfig>;

export const TERMINAL_CONFIG: ConfigPart<typeof TerminalConfig> = { key: 'terminal', schema: TerminalConfig };
