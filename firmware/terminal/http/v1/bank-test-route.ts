/** A bank is tried out before, or after, its profile is kept. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { noteForAudit, type TypeBoxProvider } from '../../../http/index.ts';
import type { BankProfile } from '../../banks/registry.ts';
import { TerminalError } from '../../errors.ts';
import { MAX_PROFILE_NAME } from '../../settings/settings-document.ts';
import type { Fields } from '../../settings/settings-secrets.ts';
import type { Terminal } from '../../terminal.ts';
import { refusals } from './problem.ts';

const ToTry = Type.Object(
  {
    bankProfile: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_PROFILE_NAME,
        description: 'name of a kept profile, whose secrets stand for those that are left out; else the one in use',
      }),
    ),
    profile: Type.Optional(
      Type.Unsafe<Fields>(
        Type.Object(
          { bankName: Type.Optional(Type.String({ description: 'which bank; the spelling is forgiven' })) },
          {
            title: 'ProfileToTry',
            additionalProperties: Type.Unknown(),
            description: 'a profile as in the settings; left out, the kept one is tried as it is',
          },
        ),
      ),
    ),
  },
  { title: 'BankToTry', additionalProperties: false, examples: [{ profile: { bankName: 'Sandbox' } }] },
);

export const TriedAnswer = Type.Object(
  {
    bankName: Type.String(),
    asked: Type.Boolean({ description: 'false for a bank that is never asked, as a fixed code' }),
    ms: Type.Integer({ description: 'how long the bank took' }),
    untried: Type.Array(Type.String(), {
      description:
        'fields of the profile that are sent with a payment alone: only the first payment shows whether they are right',
    }),
  },
  {
    title: 'BankTried',
    description: 'the bank is reached, trusted, and takes the credentials',
    examples: [{ bankName: 'CFT', asked: true, ms: 214, untried: ['accAlias', 'extEntityId', 'merchantId'] }],
  },
);

/** What the trail keeps of a trial: the bank, the name of the profile, and the result. Nothing else of what was sent. */
const DONE = 'works';
const outcomeOf = (error: unknown): string =>
  error instanceof TerminalError ? `${error.category}.${error.member}` : 'failed';

export function addBankTestRoute(plain: FastifyInstance, terminal: Terminal): void {
  plain.withTypeProvider<TypeBoxProvider>().post(
    '/console/api/settings/bank-test',
    {
      schema: {
        operationId: 'testBank',
        tags: ['device'],
        summary: 'Try a bank out: whether it is reached, trusted, and takes the credentials',
        description:
          'The bank is asked about a payment that does not exist: nothing is registered, charged or kept, and no payment of the device has to do with it. A secret that is left out, empty or `<PASSWORD>` is the kept one, where bank, ids and address are those of the kept profile. One at a time, six in a minute; a bank has 10 s.',
        body: ToTry,
        response: {
          200: TriedAnswer,
          ...refusals(
            ...(['BankTest.WrongCredentials', 'BankTest.NameNotFound', 'BankTest.NoConnection'] as const),
            ...(['BankTest.TimedOut', 'BankTest.Interrupted', 'BankTest.Unavailable'] as const),
            ...(['BankTest.NoEncryption', 'BankTest.Untrusted', 'BankTest.WrongName', 'BankTest.Expired'] as const),
            ...([
              'BankTest.NotYetValid',
              'BankTest.Refused',
              'BankTest.NotABank',
              'BankTest.TooOften',
              'RequestParams.TooMany',
            ] as const),
          ),
        },
      },
    },
    async (request, reply) => {
      const { bankProfile = null, profile = null } = request.body;
      let tried: BankProfile | null = null;
      const note = (outcome: string): void =>
        noteForAudit(request, { ...(tried !== null && { bank: tried.bankName }), outcome });
      try {
        tried = terminal.settings.profileToTry(bankProfile, profile);
        const { bankName, isAsked, ms, untried } = await terminal.tryBank(tried);
        note(DONE);
        return { bankName, asked: isAsked, ms, untried: [...untried] };
      } catch (error) {
        note(outcomeOf(error));
        if (error instanceof TerminalError && error.member === 'TooOften')
          reply.header('retry-after', error.extra.seconds);
        throw error;
      }
    },
  );
}
