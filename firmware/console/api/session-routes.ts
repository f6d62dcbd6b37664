/** The calls with which a person signs in and out at a page, and a technician ends sessions. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import {
  type Claims,
  IDLE_MS,
  LONGEST_PIN,
  PersonField,
  type Place,
  personOf,
  SESSION,
  SessionAnswer,
  SHORTEST_PIN,
  SignedInBy,
  type SignIn,
  SignInError,
} from '../../core/access/index.ts';
import {
  addAuditFacts,
  callerOf,
  cookieOf,
  type Guard,
  guesserOf,
  HttpFailure,
  hiddenPages,
  isFromThisMachine,
  NO_STORE,
  type PageRanks,
} from '../../core/http/index.ts';
import { orNull, patternWithMessage } from '../../core/schema/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';
import { CodeField, redeemed } from './claim-routes.ts';

export const PinField = Type.String({
  pattern: patternWithMessage(`^[0-9]{${SHORTEST_PIN},${LONGEST_PIN}}$`, 'must have four to ten digits'),
  description: `${SHORTEST_PIN} to ${LONGEST_PIN} digits`,
});
export const MAX_TOKEN_CHARACTERS = 512;
const TokenField = Type.String({
  minLength: 1,
  maxLength: MAX_TOKEN_CHARACTERS,
  description: 'a token of either role',
});

const SignInBody = Type.Object(
  { pin: Type.Optional(PinField), token: Type.Optional(TokenField) },
  {
    additionalProperties: false,
    description: 'one of the two',
    examples: [{ pin: '7391' }],
  },
);

const NewPinBody = Type.Object(
  { code: CodeField, pin: PinField },
  { additionalProperties: false, examples: [{ code: '7K3M-Q2XD', pin: '739105' }] },
);

/** Requires either a PIN or a token. @throws {HttpFailure} `parameter` */
function requireOne({ pin, token }: Static<typeof SignInBody>): void {
  if ((pin === undefined) !== (token === undefined)) return;
  const field = pin === undefined ? 'pin' : 'token';
  throw new HttpFailure('parameter', 'send either pin or token: one of the two, and not both', { field });
}

export const SessionList = Type.Object({
  sessions: Type.Array(
    Type.Object({
      id: Type.String(),
      role: PersonField,
      by: SignedInBy,
      till: SESSION.till,
      from: Type.String({ description: 'address of the browser, empty at the device itself' }),
      idleSeconds: Type.Integer({ description: 'since it was last used' }),
      own: Type.Boolean({ description: 'of the browser that asks' }),
    }),
  ),
});
const SessionParams = Type.Object({ id: Type.String({ maxLength: 64 }) });
const SignedOut = Type.Object({ was: orNull(PersonField, 'who was signed in; null without a sign-in') });

/**
 * The cookie of a session. No script can read it, and no other site can make the browser send it.
 * @param secret null: removes it
 */
const cookieFor = ({ raw }: FastifyRequest, name: string, secret: string | null): string =>
  [
    `${name}=${secret ?? ''}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    ...('encrypted' in raw.socket ? ['Secure'] : []),
    ...(secret === null ? ['Max-Age=0'] : []),
  ].join('; ');

/** The digest of the pages' files. */
interface Digest {
  readonly digest: string;
}

/** Reads, begins and lists the sessions of browsers. */
class BrowserSessions {
  readonly #signIn: SignIn;
  readonly #guard: Guard;
  readonly #hasCodes: boolean;
  readonly #pages: Digest;
  readonly #pagesOfFeatures: PageRanks;

  constructor(signIn: SignIn, guard: Guard, hasCodes: boolean, pages: Digest, pagesOfFeatures: PageRanks) {
    this.#signIn = signIn;
    this.#guard = guard;
    this.#hasCodes = hasCodes;
    this.#pages = pages;
    this.#pagesOfFeatures = pagesOfFeatures;
  }

  /**
   * The session of a request, and what the page learns of it.
   * @param secret of a session that has just begun; null: that of the cookie
   */
  of({ raw }: FastifyRequest, secret: string | null = null) {
    const caller = callerOf(raw);
    const sent = secret ?? cookieOf(raw.headers, this.#signIn.cookie);
    const session = sent === null ? null : this.#signIn.find(sent);
    const asked = this.#guard.asksWho(caller);
    const answer: Static<typeof SessionAnswer> = {
      asked,
      role: session && personOf(session.owner.role),
      by: session?.by ?? null,
      till: session?.owner.till?.name ?? null,
      idleSeconds: session && IDLE_MS[session.owner.role] / 1000,
      pins: this.#signIn.isLocked,
      codes: this.#hasCodes,
      pages: this.#pages.digest,
      closed: hiddenPages(session?.owner.role ?? (asked ? 'till' : 'technician'), this.#pagesOfFeatures),
    };
    return { answer, secret: session && sent };
  }

  /** Sends the cookie of a new session, and ends the browser's previous one. */
  begin(reply: FastifyReply, secret: string) {
    const { request } = reply;
    const before = this.of(request).secret;
    if (before !== null) this.#signIn.end(before);
    reply.header('set-cookie', cookieFor(request, this.#signIn.cookie, secret));
    return this.of(request, secret).answer;
  }

  list({ raw }: FastifyRequest): Static<typeof SessionList> {
    const own = cookieOf(raw.headers, this.#signIn.cookie);
    const sessions = this.#signIn.sessions(own).map(({ owner, idleMs, ...session }) => ({
      ...session,
      role: personOf(owner.role),
      till: owner.till?.name ?? null,
      idleSeconds: Math.floor(idleMs / 1000),
    }));
    return { sessions };
  }
}

function placeOf(request: FastifyRequest): Place {
  const caller = callerOf(request.raw);
  return { isHere: isFromThisMachine(caller), address: guesserOf(caller) };
}

/** Does some work; adds the header `retry-after` to a refusal that names a wait. */
async function answering<T>(reply: FastifyReply, work: () => Promise<T>): Promise<T> {
  try {
    return await withFailureCodes(work);
  } catch (error) {
    if (error instanceof SignInError && error.code === 'TooManyTries') reply.header('retry-after', error.more.seconds);
    throw error;
  }
}

/**
 * Adds the calls. The call that asks who is signed in counts as use, and prolongs the session.
 * @param claims null where the device never shows a code
 * @param pagesOfFeatures who may see the pages of features
 */
export function addSessionRoutes(
  app: FastifyInstance,
  signIn: SignIn,
  claims: Claims | null,
  guard: Guard,
  pages: Digest,
  pagesOfFeatures: PageRanks,
): void {
  const browsers = new BrowserSessions(signIn, guard, claims !== null, pages, pagesOfFeatures);

  app.get(
    '/console/api/session',
    { config: { role: 'anyone' }, schema: { response: { 200: SessionAnswer } } },
    async (request, reply) => {
      reply.headers(NO_STORE);
      const { answer, secret } = browsers.of(request);
      if (secret !== null) signIn.use(secret);
      return answer;
    },
  );

  app.post(
    '/console/api/session',
    {
      config: {
        role: 'anyone',
        audit: { event: 'signed-in', answers: ['role', 'by', 'till'], whoCame: ({ role }) => role, isRepeatable: true },
      }, // the PIN or token in the body is its credential
      schema: { body: SignInBody, response: { 200: SessionAnswer } },
    },
    async (request, reply) => {
      reply.headers(NO_STORE);
      requireOne(request.body);
      const place = placeOf(request);
      const { pin, token = '' } = request.body;
      const secret = await answering(reply, async () =>
        pin === undefined ? signIn.byToken(place, token) : await signIn.byPin(place, pin),
      );
      return browsers.begin(reply, secret);
    },
  );

  app.post(
    '/console/api/claim/pin',
    {
      config: { role: 'anyone', audit: { event: 'pin-set' } }, // the handler adds whose PIN, and by what
      schema: { body: NewPinBody, response: { 200: SessionAnswer } },
    },
    async ({ body: { code, pin } }, reply) => {
      const secret = await redeemed(reply, claims, code, () => signIn.byNewPin(placeOf(reply.request), pin));
      addAuditFacts(reply.request, { person: 'technician', by: 'code' });
      return browsers.begin(reply, secret);
    },
  );

  app.delete(
    '/console/api/session',
    {
      config: {
        role: 'anyone',
        audit: {
          event: 'signed-out',
          answers: ['was'],
          isDone: ({ was }) => was !== null,
          isRepeatable: true,
          whoCame: ({ was }) => was,
        },
      },
      schema: { response: { 200: SignedOut } },
    },
    async (request, reply) => {
      const { answer, secret } = browsers.of(request);
      if (secret !== null) signIn.end(secret);
      reply.headers(NO_STORE).header('set-cookie', cookieFor(request, signIn.cookie, null));
      return { was: answer.role };
    },
  );

  app.get(
    '/console/api/sessions',
    { config: { role: 'technician' }, schema: { response: { 200: SessionList } } },
    async (request) => browsers.list(request),
  );

  app.delete(
    '/console/api/sessions/:id',
    {
      config: { role: 'technician', audit: { event: 'session-ended' } }, // the handler adds whose session
      schema: { params: SessionParams, response: { 200: SessionList } },
    },
    async (request) => {
      const { id } = request.params;
      const ended = browsers.list(request).sessions.find((session) => session.id === id);
      if (ended !== undefined) addAuditFacts(request, { person: ended.role, from: ended.from });
      signIn.endNamed(id);
      return browsers.list(request);
    },
  );
}
