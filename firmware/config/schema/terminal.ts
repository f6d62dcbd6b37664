/** What is configured of payments: the terminal, its banks, and that of the sandbox. */
import Type from 'typebox';
import { DISPLAY_LANGUAGES, EVENT_TYPES } from '../choices.ts';
import { SANDBOX_PORT, TERMINAL_PORT } from '../ports.ts';
import { RegistryColumns } from '../registry-columns.ts';
import { closed, fromChain, host, milliseconds, nullable, port } from './kinds.ts';

/** Of all refunds of a day: more than a lane takes. */
const MOST_KOPECKS = 1_000_000_000_000;

const Webhook = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 2048 }),
    secret: Type.String({ minLength: 16, maxLength: 256 }),
    formerSecret: Type.Optional(Type.String({ minLength: 16, maxLength: 256 })),
    types: Type.Optional(Type.Array(Type.Enum([...EVENT_TYPES]), { minItems: 1 })),
    caPath: Type.Optional(Type.String({ minLength: 1 })),
  },
  closed,
);

const kopecksOrNull = (description: string) =>
  nullable(Type.Integer({ minimum: 0, maximum: MOST_KOPECKS }), { default: null, description, ...fromChain });

/** @param who as it goes on: "how many kopecks …" @param of whose day is one */
const refundLimits = (who: string, of: string) =>
  Type.Object(
    {
      each: kopecksOrNull(
        `how many kopecks ${who} at once [without a supervisor](after-payment.md#limits); null: all that was paid`,
      ),
      day: kopecksOrNull(`how many kopecks ${who} in a day of the device, ${of}; null: no limit`),
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
    ledgerCopyDir: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'folder on another medium that keeps a second copy of the ledger; null: none',
    }),
    idleQR: nullable(Type.String({ minLength: 1 }), {
      default: null,
      description: 'what the idle display shows as a QR code; null: nothing',
      ...fromChain,
    }),
    displayLanguage: Type.Enum([...DISPLAY_LANGUAGES], {
      default: 'both',
      description:
        "what the customer's screen speaks: Russian with English below it, or one of the two; `/display?lang=en` has one window speak another",
      ...fromChain,
    }),
    symbolMs: milliseconds(5000, 'how long the outcome of a payment stays on the display', fromChain),
    unreadMs: Type.Integer({
      default: 120_000,
      minimum: 0,
      maximum: 3_600_000,
      description:
        'how long a till may leave an accepted payment unread before it is [late](operator.md#late-payments) (milliseconds); 0: for ever, for a till that asks for no status and only watches the display',
      ...fromChain,
    }),
    displayDeadlineMs: milliseconds(
      3000,
      'how long the display may take for one picture; over Bluetooth 6000 at least',
      fromChain,
    ),
    bankDeadlineMs: milliseconds(10_000, 'how long the bank may take for one answer', fromChain),
    pollFirstMs: milliseconds(1000, 'when the bank is first asked about a payment', fromChain),
    pollMaxMs: milliseconds(5000, 'the longest pause between two questions to the bank', fromChain),
    graceMs: milliseconds(60_000, 'how long an expired payment is still followed before it is CANCELED', fromChain),
    registries: Type.Record(Type.String(), RegistryColumns, {
      default: {},
      description:
        'names of the columns of banks’ registries, each under the name of its profile or another: `{"main": {"order": "Order id", "amount": "Sum"}}`',
    }),
    refundLimits: Type.Object(
      {
        till: refundLimits('a till’s token gives back', 'each token of `api.tills` by itself'),
        cashier: refundLimits('a cashier who has signed in with the PIN gives back', 'all cashiers together'),
      },
      closed,
    ),
    webhooks: Type.Array(Webhook, {
      default: [],
      maxItems: 8,
      description:
        'addresses that are told of [events](events.md), each with the secret that the calls are signed with: `[{"url": "https://till.shop.example/lane-7", "secret": "…", "types": ["payment.accepted"]}]`; `types` may be left out for all, `formerSecret` signs as well while a secret is [renewed](events.md#renew-the-secret), `caPath` names authorities beside the usual ones, PEM',
    }),
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
        "authorities that every bank's certificate is checked against beside the usual ones, PEM, as the Russian Trusted Root CA; a profile's own stand in the place of all",
    }),
  },
  closed,
);

export const SandboxBankConfig = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'whether the sandbox bank runs; never on a lane that sells',
    }),
    host: host('127.0.0.1'),
    port: port(SANDBOX_PORT),
  },
  closed,
);
