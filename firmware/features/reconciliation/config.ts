/** Configuration of reconciliation: the columns, the words and the time zone of banks' files. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, isTimeZone, nullable } from '../../core/config/index.ts';

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

/** Whether these columns suffice to compare lines: the amount, and one that identifies the payment. */
export const areEnough = ({ order, bank, transaction, amount }: RegistryColumns): boolean =>
  amount !== undefined && [order, bank, transaction].some((name) => name !== undefined);

const Registries = Type.Record(Type.String(), RegistryColumns, {
  default: {},
  description: 'columns of [banks’ registries](after-payment.md#reconciliation), by profile',
});
const BankTimeZone = nullable(Type.String({ minLength: 1 }), {
  default: null,
  description: 'time zone of banks’ days; null: `Europe/Moscow` where a registry says МСК, else that of the device',
});

export interface ReconciliationConfig {
  readonly registries: Static<typeof Registries>;
  readonly registryOperations: KnownOperations;
  readonly bankTimeZone: string | null;
}

export const REGISTRIES: ConfigPart<typeof Registries> = {
  key: 'terminal.registries',
  after: 'ttlMaxMinutes',
  schema: Registries,
  check: (registries) =>
    Object.entries(registries).map(([name, columns]) =>
      areEnough(columns)
        ? null
        : `terminal.registries.${name}: must name the column of the amount, and one of order, bank and transaction`,
    ),
};

const RegistryOperations = { ...KnownOperations, default: {} };
export const REGISTRY_OPERATIONS: ConfigPart<typeof RegistryOperations> = {
  key: 'terminal.registryOperations',
  after: 'registries',
  schema: RegistryOperations,
};

export const BANK_TIME_ZONE: ConfigPart<typeof BankTimeZone> = {
  key: 'terminal.bankTimeZone',
  after: 'registryOperations',
  schema: BankTimeZone,
  check: (zone) => [
    zone === null || isTimeZone(zone)
      ? null
      : `terminal.bankTimeZone: "${zone}" is no time zone; write it as Europe/Moscow`,
  ],
};
