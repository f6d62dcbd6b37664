/** The call that tries a bank's profile, stored or not. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Fields } from '../../../../drivers/lib/strict-json.ts';
import { type BankProfile, BankTestError } from '../../../banks/index.ts';
import { addAuditFacts } from '../../../core/http/index.ts';
import { TerminalError } from '../../model/terminal-error.ts';
import { profileName } from '../../settings/settings-document.ts';
import type { Terminal } from '../../terminal.ts';

const TrialBody = Type.Object(
  {
    bankProfile: Type.Optional(
      profileName('a kept profile, whose secrets stand for those that are left out; else the one in use'),
    ),
    profile: Type.Optional(
      Type.Unsafe<Fields>(
        Type.Object(
          { bankName: Type.Optional(Type.String({ description: 'which bank; the spelling is forgiven' })) },
          {
            additionalProperties: Type.Unknown(),
            description: 'a profile as in the settings; left out, the stored one is tried as it is',
          },
        ),
      ),
    ),
  },
  { additionalProperties: false, examples: [{ profile: { bankName: 'Sandbox' } }] },
);

/** The answer where the bank was reached and trusted, and has accepted the credentials. */
export const TriedAnswer = Type.Object({
  bankName: Type.String(),
  asked: Type.Boolean({ description: 'false for a bank that is never asked, as a fixed code' }),
  ms: Type.Integer({ description: 'how long the bank took' }),
  untried: Type.Array(Type.String(), {
    description:
      'fields of the profile that are sent with a payment alone: only the first payment shows whether they are right',
  }),
});

/** The outcomes of a trial in the audit trail: an entry has the bank's name beside it, and no other field of the profile. */
const WORKS = 'works';
const auditOutcome = (error: unknown): string =>
  error instanceof BankTestError
    ? `BankTest.${error.code}`
    : error instanceof TerminalError
      ? `${error.category}.${error.member}`
      : 'failed';

export function addBankTestRoute(app: FastifyInstance, terminal: Terminal): void {
  app.post(
    '/console/api/settings/bank-test',
    {
      config: { role: 'technician', audit: { event: 'bank-tried' } }, // a trial sends the stored secrets to the named address; the handler adds the bank and the outcome to the entry
      schema: { body: TrialBody, response: { 200: TriedAnswer } },
    },
    async (request, reply) => {
      const { bankProfile = null, profile = null } = request.body;
      let tried: BankProfile | null = null;
      const recordOutcome = (outcome: string): void =>
        addAuditFacts(request, { ...(tried !== null && { bank: tried.bankName }), outcome });
      try {
        tried = terminal.settings.profileToTry(bankProfile, profile);
        const { bankName, isAsked, ms, untried } = await terminal.tryBank(tried);
        recordOutcome(WORKS);
        return { bankName, asked: isAsked, ms, untried: [...untried] };
      } catch (error) {
        recordOutcome(auditOutcome(error));
        if (error instanceof BankTestError && error.code === 'TooOften')
          reply.header('retry-after', error.more.seconds);
        throw error;
      }
    },
  );
}
