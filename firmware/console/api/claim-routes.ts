/** The calls with which a technician gets a token by the code on the display, and manages the tokens of all roles. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { ClaimError, type Claims, type MadeTokens } from '../../core/access/index.ts';
import { callerOf, guesserOf, NO_STORE, ROLES, requirePrivacy } from '../../core/http/index.ts';
import { maybe, patternWithMessage } from '../../core/schema/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';

/** Longest text that is accepted as a code. */
export const MAX_CODE_CHARACTERS = 32;
export const MAX_OWN_TOKEN_CHARACTERS = 128;

const Wanted = maybe(
  Type.String({
    minLength: 16,
    maxLength: MAX_OWN_TOKEN_CHARACTERS,
    pattern: patternWithMessage(
      '^[A-Za-z0-9._~-]+$',
      'must be letters, digits, dots, dashes, underscores and tildes of ASCII',
    ),
    description: 'a token of your own; left out, the device makes one up',
  }),
);
export const CodeField = Type.String({
  minLength: 1,
  maxLength: MAX_CODE_CHARACTERS,
  description: 'what the display shows, in any spelling',
});
const ClaimBody = Type.Object(
  { code: CodeField, token: Wanted },
  { additionalProperties: false, examples: [{ code: '7K3M-Q2XD' }] },
);
const Made = Type.Object({
  token: Type.String({ description: 'from now on it opens what its role opens; it is returned only this once' }),
});
const RoleOfToken = Type.Enum([...ROLES], { description: 'whose token it is' });
const RoleParams = Type.Object({ role: RoleOfToken });
const Kept = Type.Object({
  role: RoleOfToken,
  made: Type.Boolean({ description: 'whether one was made on the device' }),
  configured: Type.Boolean({ description: 'whether the configuration names one' }),
});
const Tokens = Type.Object({ tokens: Type.Array(Kept) });

/**
 * Redeems a code from the display.
 * @param use does what the code allows @returns its result @throws {ClaimError} @throws {HttpFailure} `encryption`
 */
export async function redeemed<Made>(
  reply: FastifyReply,
  claims: Claims | null,
  code: string,
  use: () => Promise<Made>,
): Promise<Made> {
  requirePrivacy(reply.request, 'a code is taken');
  reply.headers(NO_STORE);
  if (claims === null) throw new ClaimError('NoCode', 'this device shows no codes: api.claim is off');
  const from = guesserOf(callerOf(reply.request.raw));
  try {
    return await withFailureCodes(() => claims.redeem(from, code, use));
  } catch (error) {
    if (error instanceof ClaimError && error.seconds !== null) reply.header('retry-after', error.seconds);
    throw error;
  }
}

/**
 * @param claims null where the device never shows a code
 * @param isConfigured whether the configuration names a token of a role
 */
export function addClaimRoutes(
  app: FastifyInstance,
  claims: Claims | null,
  tokens: MadeTokens,
  isConfigured: (role: (typeof ROLES)[number]) => boolean,
): void {
  app.post(
    '/console/api/claim',
    {
      config: { role: 'anyone', audit: { event: 'claimed' } }, // the code on the display is its credential
      schema: { body: ClaimBody, response: { 200: Made } },
    },
    async ({ body: { code, token = null } }, reply) => ({
      token: await redeemed(reply, claims, code, () => tokens.make('technician', token)),
    }),
  );

  const list = (): Static<typeof Tokens> => ({
    tokens: ROLES.map((role) => ({ role, made: tokens.has(role), configured: isConfigured(role) })),
  });

  app.get('/console/api/tokens', { config: { role: 'technician' }, schema: { response: { 200: Tokens } } }, async () =>
    list(),
  );

  app.put(
    '/console/api/tokens/:role',
    {
      config: { role: 'technician', audit: { event: 'token-made', fields: ['role'] } },
      schema: {
        params: RoleParams,
        body: Type.Object(
          { token: Wanted },
          { additionalProperties: false, examples: [{}, { token: 'a-made-up-token-of-a-till' }] },
        ),
        response: { 200: Made },
      },
    },
    async (request, reply) => {
      requirePrivacy(request, 'a token is returned');
      reply.headers(NO_STORE);
      const { params, body } = request;
      return { token: await withFailureCodes(() => tokens.make(params.role, body.token ?? null)) };
    },
  );

  app.delete(
    '/console/api/tokens/:role',
    {
      config: { role: 'technician', audit: { event: 'token-taken-back', fields: ['role'] } },
      schema: { params: RoleParams, response: { 200: Tokens } },
    },
    async ({ params }) => {
      await withFailureCodes(() => tokens.revoke(params.role));
      return list();
    },
  );
}
