/** Explains why a call of a device failed, and chooses the exit code. */
import { codeOf, messageOf } from '../../../drivers/lib/errors.ts';
import { isFields } from '../../../drivers/lib/strict-json.ts';
import { CommandFailure, misuse } from './exit-codes.ts';

/** Code of an answer that does not come from a device. */
export const FOREIGN = 'device.foreign';

/** Whether the body of an HTTP 200 reports a failure, as calls of recognition do. */
export const isFailure = (body: unknown): boolean => isFields(body) && typeof body.code === 'number' && body.code !== 0;

/** The sentence and the code of a refusal, from any of the device's envelopes; null where the body is none of them. */
function wordsOf(body: unknown): { readonly message: string; readonly code: string | null } | null {
  const { detail, error_message: old, msg, code, error_category: category } = isFields(body) ? body : {};
  const message = [detail, old, msg].find((words) => typeof words === 'string');
  if (message === undefined) return null;
  return { message, code: code !== undefined ? String(code) : category === undefined ? null : String(category) };
}

/**
 * Whether a device answered: it sets this header in each answer. Without the header a proxy, a hotspot's page or
 * another program answered.
 */
export const isOurs = ({ headers }: Response): boolean => headers.has('laneware-request-id');

/**
 * The failure of an answer that is not from a device. A failing gateway may have forwarded the call and lost the
 * answer: that counts as a broken connection.
 */
export function foreign(url: string, { status, headers }: Response): CommandFailure {
  const { host } = new URL(url);
  const details = { url, status, code: FOREIGN };
  if (status >= 500)
    return new CommandFailure(
      'unreachable',
      `${host} does not answer: a program in its place answers HTTP ${status}`,
      details,
    );
  const location = headers.get('location');
  const what = location === null ? `it answers HTTP ${status}` : `it redirects to ${location}`;
  return new CommandFailure(
    'refused',
    `${url} is not a Laneware device: ${what}; use the address of the device itself`,
    details,
  );
}

/** Whether the device refused a value, and has done nothing. */
const isWrongValue = (status: number, code: string | null): boolean =>
  status === 400 && /^(?:RequestParams|JsonParse|Items\.IllegalFile)/.test(code ?? '');

/** The failure of a refused call. */
export function refusal(url: string, answer: Response, body: unknown, token: string | null): CommandFailure {
  const { status } = answer;
  const words = wordsOf(body);
  if (words === null && !isOurs(answer)) return foreign(url, answer);
  const { message, code } = words ?? { message: 'the device gave no reason', code: null };
  const details = {
    url,
    status,
    code,
    ...(isFields(body) && typeof body.payment === 'string' && { payment: body.payment }),
  };
  if ([401, 403].includes(status)) {
    const what = token === null ? 'a token is required: set LANEWARE_TOKEN or use --token-file' : message;
    return new CommandFailure('unauthorised', what, details);
  }
  // a gateway that answers JSON, or a device that has no place for another connection and has not read the call
  if (!isOurs(answer) && status >= 500) return new CommandFailure('unreachable', message, details);
  return new CommandFailure(isWrongValue(status, code) ? 'usage' : 'refused', message, details);
}

/** The cause that a failed fetch wraps. */
const rootOf = (error: unknown): unknown => (error instanceof Error && error.cause !== undefined ? error.cause : error);

const TLS_FAILURE = /^(?:DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|CERT_|ERR_TLS_)/;

export function unreachable(url: string, error: unknown): CommandFailure {
  const root = rootOf(error);
  const code = codeOf(root);
  const { host, port } = new URL(url);
  if (messageOf(root) === 'bad port')
    return misuse('Value', `no HTTP client calls port ${port} (the Fetch standard keeps it for another use)`);
  const isCertificate = TLS_FAILURE.test(code ?? '');
  const why = isCertificate
    ? `its certificate is not trusted (${code}): use --ca with the device's own, from /certificate.pem of its recognition port`
    : code === 'ECONNREFUSED'
      ? 'nothing is listening there'
      : (code ?? messageOf(root));
  return new CommandFailure(
    'unreachable',
    `${host} does not answer: ${why}`,
    { url, code: code ?? null, isCertificate },
    error,
  );
}

/** Whether an answer is JSON; lines of JSON (`application/jsonl`) are not. */
export const isJson = ({ headers }: Response): boolean =>
  /^application\/(?:[^;]*\+)?json(?:;|$)/.test(headers.get('content-type') ?? '');

/** The body of an answer: JSON parsed, else its text. @throws {CommandFailure} `refused` for invalid JSON */
export function parsed(url: string, answer: Response, text: string): unknown {
  if (!isJson(answer)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!isOurs(answer)) throw foreign(url, answer);
    throw new CommandFailure(
      'refused',
      `${url} is not a Laneware device: it does not answer with JSON`,
      { url },
      cause,
    );
  }
}
