/** Configuration of all banks. */
import Type, { type Static } from 'typebox';
import { type ConfigPart, closed, nullable } from '../core/config/index.ts';
import { bankAddressProblem } from './bank-address.ts';

const BanksConfig = Type.Object(
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
export type BanksConfig = Static<typeof BanksConfig>;

export const BANKS_CONFIG: ConfigPart<typeof BanksConfig> = {
  key: 'banks',
  after: 'gpio',
  schema: BanksConfig,
  check: ({ cft: { baseUrl } }) => {
    const problem = baseUrl === null ? null : bankAddressProblem(baseUrl);
    return [problem === null ? null : `banks.cft.baseUrl ${problem}`];
  },
};
