/** Adds each call to the log of calls after its answer was sent, so that no answer waits for the log. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { beginning } from '../../../drivers/lib/text.ts';
import { credentialOf, KEY_HEADER, namedTillOf, plainAddress, sentBytes } from '../../core/http/index.ts';
import type { Call, CallLog } from './call-log.ts';
import { type Masking, shownBody, unquoting } from './shown-body.ts';

const PATH_CHARACTERS = 500;
const KEY_CHARACTERS = 100;
const EVENT_STREAM = 'text/event-stream';
/** Paths that monitoring calls all day. */
const WATCHED: ReadonlySet<string> = new Set(['/health', '/metrics']);
/** Path of the log's own calls. They are not logged: each reading of the log would make a new entry. */
const OWN = '/console/api/calls';

/** The origin of a call. A browser sends the calling site with each call of a page, which cannot prevent that. */
function originOf({ headers, routeOptions }: FastifyRequest): Call['origin'] {
  if (headers['sec-fetch-site'] !== undefined || headers.origin !== undefined) return 'page';
  return WATCHED.has(routeOptions.url ?? '') ? 'watch' : 'till';
}

/** The path with its query, in which parameters that may be secrets are masked. */
function targetOf(url: string, { masked, mayHoldSecret }: Masking): string {
  const [path = '', query = ''] = url.split('?', 2);
  const pairs = [...new URLSearchParams(query)];
  if (!pairs.some(([name]) => mayHoldSecret(name))) return beginning(url, PATH_CHARACTERS);
  const open = new URLSearchParams();
  for (const [name, value] of pairs) open.append(name, String(masked({ [name]: value })[name]));
  return beginning(`${path}?${open}`, PATH_CHARACTERS);
}

const lengthOf = (value: unknown): number => Number(value ?? 0) || 0;

/** The bytes of an answer. @returns null for an answer that is sent from a stream */
function answered(payload: unknown): Buffer | null {
  if (typeof payload === 'string') return Buffer.from(payload);
  return Buffer.isBuffer(payload) ? payload : null;
}

export interface Watching {
  readonly log: CallLog;
  readonly masking: Masking;
  readonly now: () => number;
  readonly port: Call['port'];
}

function callOf(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  { masking, now, port }: Watching,
): Omit<Call, 'hungUp' | 'isStream'> {
  const { headers, method, originalUrl, id, raw } = request;
  const key = headers[KEY_HEADER.toLowerCase()];
  const sent = shownBody(sentBytes(request), lengthOf(headers['content-length']), masking);
  const returned = shownBody(answered(payload), lengthOf(reply.getHeader('content-length')), masking);
  return {
    at: now(),
    port,
    origin: originOf(request),
    method,
    path: targetOf(originalUrl, masking),
    status: reply.statusCode,
    ms: reply.elapsedTime,
    requestId: id,
    address: plainAddress(raw.socket.remoteAddress ?? ''),
    credential: credentialOf(request),
    till: namedTillOf(request)?.name ?? null,
    key: typeof key === 'string' ? beginning(key, KEY_CHARACTERS) : null,
    request: sent,
    answer: unquoting(returned, sent),
  };
}

export function watchCalls(app: FastifyInstance, watching: Watching): void {
  const { log } = watching;
  app.addHook('onSend', (request, reply, payload, done) => {
    done(null, payload);
    if (request.routeOptions.url?.startsWith(OWN)) return;
    const { raw } = reply;
    const add = (): void => {
      const call = callOf(request, reply, payload, watching);
      log.add({ ...call, hungUp: !raw.writableFinished, isStream: false });
    };
    if (String(reply.getHeader('content-type')).startsWith(EVENT_STREAM))
      log.add({ ...callOf(request, reply, null, watching), hungUp: false, isStream: true });
    else if (raw.closed) add();
    else raw.once('close', add);
  });
}
