/** The one place where calls become lines of the audit trail: just before their answer goes out. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Fields, isFields } from '../../../../drivers/lib/strict-json.ts';
import { beginning } from '../../../../drivers/lib/text.ts';
import type { AuditEvent, AuditedCall, AuditTrail } from '../../audit/index.ts';
import type { Opener } from '../call/ranks.ts';
import { plainAddress } from '../guard/authority.ts';
import { auditFacts, credentialOf, isAdmitted, isRepetition, namedTillOf, signedInBy } from '../guard/caller.ts';

/** Statuses of refusals: not allowed, or too often. */
const REFUSALS: ReadonlySet<number> = new Set([403, 429]);
/** Longest text that is recorded: enough for a name. */
const MAX_CHARACTERS = 200;

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** What is recorded of a value: a name or a number as it is, the length of a list; undefined for anything else. */
function summary(value: unknown): unknown {
  if (typeof value === 'string') return beginning(value, MAX_CHARACTERS);
  if (Array.isArray(value)) return value.length;
  return isFields(value) ? undefined : value;
}

const picked = (from: Fields, names: readonly string[] = []): Fields =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, summary(from[name])]));

/** The fields of an answer on either port that tell its outcome. */
interface Answer {
  readonly failure: Pick<AuditEvent, 'code' | 'why'> | null;
  readonly data: Fields;
  readonly text: string;
}

function read(payload: unknown, status: number): Answer {
  const body = typeof payload === 'string' && payload.startsWith('{') ? fieldsOf(JSON.parse(payload)) : {};
  const code = typeof body.error_code === 'number' ? body.error_code : body.code;
  // a code of letters has another meaning, such as why the bank refused a refund
  const isDone = status < 400 && (typeof code !== 'number' || code === 0);
  return {
    failure: isDone
      ? null
      : {
          code: typeof code === 'number' ? code : status,
          ...(typeof body.error_category === 'string' ? { why: body.error_category } : {}),
        },
    data: fieldsOf(body.data ?? body),
    text: String(body.error_message ?? body.msg ?? ''),
  };
}

function whoOf(request: FastifyRequest) {
  const till = namedTillOf(request);
  const by = signedInBy(request);
  return {
    address: plainAddress(request.raw.socket.remoteAddress ?? ''),
    credential: credentialOf(request),
    ...(till !== null && { till: till.name }),
    ...(by !== null && { signedInBy: by }),
  };
}

const routeOf = ({ method, routeOptions }: FastifyRequest): string => `${method} ${routeOptions.url ?? ''}`;

/** A refused call as an event. An unknown path is the caller's own text: it is not recorded. */
function refusal(request: FastifyRequest, status: number, { text }: Answer): AuditEvent {
  return {
    ...whoOf(request),
    deed: 'call',
    what: request.is404 ? {} : { call: routeOf(request) },
    outcome: 'refused',
    code: status,
    why: beginning(text, MAX_CHARACTERS),
  };
}

/** Requests that passed their schema. Of others nothing is recorded: they may have a secret in the wrong field. */
const understood = new WeakSet<FastifyRequest>();

/**
 * Whether a call belongs to the lane's book: repeated calls of tills, cashiers or supervisors must not take the room of
 * a technician's acts.
 */
const isOfLane = (
  request: FastifyRequest,
  role: Opener | undefined,
  { whoCame }: AuditedCall,
  { data }: Answer,
): boolean =>
  role === 'till' ||
  credentialOf(request) === 'supervisor' ||
  (whoCame !== undefined && whoCame(data) !== 'technician');

function eventOf(request: FastifyRequest, call: AuditedCall, { failure, data }: Answer): AuditEvent | null {
  if (failure === null && (isRepetition(request) || call.isDone?.(data) === false)) return null;
  return {
    ...whoOf(request),
    deed: call.event,
    what: {
      ...(understood.has(request)
        ? picked({ ...fieldsOf(request.params), ...fieldsOf(request.body) }, call.fields)
        : {}),
      ...picked(data, call.answers),
      ...auditFacts(request),
    },
    outcome: failure === null ? 'done' : 'failed',
    ...failure,
  };
}

export function auditCalls(app: FastifyInstance, trail: AuditTrail | null): void {
  if (trail === null) return;
  app.addHook('preHandler', async (request) => void understood.add(request)); // validation comes before
  app.addHook('onSend', async (request: FastifyRequest, { statusCode }: FastifyReply, payload) => {
    const { role, audit: call = null } = request.routeOptions.config;
    // a stranger, or anybody on an open route, is recorded only in the book of refusals, for any answer
    const isOfStranger = !isAdmitted(request) || role === 'anyone';
    const isRefused = REFUSALS.has(statusCode) || (statusCode >= 400 && isOfStranger);
    if (!isRefused && call === null) return;
    const answer = read(payload, statusCode);
    if (isRefused) return trail.refuse(refusal(request, statusCode, answer));
    const event = call === null ? null : eventOf(request, call, answer);
    if (call === null || event === null) return;
    await trail.record(isOfLane(request, role, call, answer) ? 'lane' : 'technician', event, call.isRepeatable);
  });
}
