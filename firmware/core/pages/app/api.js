/** Calls of the page to its device, and the words for a call that fails. @import { Translator } from './language.js' */

const LIMIT_MS = 10_000;
/** Limit of an action; longer than the device itself waits for a bank. */
const ACTION_LIMIT_MS = 30_000;

/** A call that was refused, or whose outcome is unknown. */
export class CallError extends Error {
  /**
   * The device's code, as `Payments.NotFound`; `silent`, `late`, `unreadable` or `cut-short` where the device has sent
   * no answer that can be read; `lost-file` where the browser cannot read the file to be sent; `no-cookies`
   * where it does not store the cookie of a session.
   */
  code;
  /** Values for the sentence, such as the field and the limit. @type {Readonly<Record<string, unknown>>} */
  parameters;
  /** The device's own sentence, in English; empty where there is none. */
  detail;

  /** @param {string} code @param {Readonly<Record<string, unknown>>} [parameters] @param {unknown} [cause] */
  constructor(code, parameters = {}, cause) {
    const detail = typeof parameters.detail === 'string' ? parameters.detail : '';
    super(`${code}: ${detail}`, { cause });
    this.code = code;
    this.parameters = parameters;
    this.detail = detail;
  }

  /** The field at fault, or null. */
  get field() {
    return typeof this.parameters.field === 'string' ? this.parameters.field : null;
  }
}

/** Codes that leave the outcome open: no whole answer came, or the device failed and may not have stored its work. */
const UNDECIDED = [
  'silent',
  'late',
  'unreadable',
  'Internal.StorageFull',
  'Internal.StorageRefused',
  'Internal.UnexpectedError',
];

/**
 * Whether a failed action is known not to be done. Its key is then used up, unless the device says that the action is
 * to be sent again. @param {unknown} error
 */
export const isDecided = (error) =>
  error instanceof CallError &&
  (error.parameters.repeat === false || (!UNDECIDED.includes(error.code) && error.parameters.repeat !== true));

/**
 * @typedef {object} Call
 * @property {string} [method]
 * @property {unknown} [json] body
 * @property {BodyInit} [body] a body other than JSON
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {number} [limitMs]
 * @property {AbortSignal} [end] ends the call early
 */

/** @type {() => void} */
let onShutOut = () => undefined;

/** @param {() => void} listener called when a call was refused because nobody is signed in */
export function onSignInRequired(listener) {
  onShutOut = listener;
}

/** @param {Response} response @returns {Promise<CallError>} */
async function refusalOf(response) {
  try {
    const { code, ...rest } = await response.json();
    return new CallError(String(code), rest);
  } catch (cause) {
    return new CallError('unreadable', { status: response.status }, cause);
  }
}

/**
 * Why a call got no answer. A browser does not report a file that it could not read: one that was changed, or whose
 * stick was pulled out.
 * @param {unknown} body @param {unknown} [cause]
 */
export async function unansweredError(body, cause) {
  try {
    if (body instanceof File) {
      const reader = body.stream().getReader(); // a slice of a file that is gone is empty, and no error
      await reader.read();
      await reader.cancel();
    }
  } catch (unread) {
    return new CallError('lost-file', {}, unread);
  }
  return new CallError('silent', {}, cause);
}

/** Like `AbortSignal.any`, which browsers of 2022 lack. @param {AbortSignal[]} signals */
function firstOf(...signals) {
  const first = new AbortController();
  for (const signal of signals) signal.addEventListener('abort', () => first.abort(signal.reason));
  return first.signal;
}

/**
 * @param {string} path @param {Call} [call]
 * @returns {Promise<Response>} a response of any status
 * @throws {CallError} `late`, `silent`, `lost-file`
 */
async function reach(path, { method = 'GET', json, body, headers = {}, limitMs, end } = {}) {
  const isAction = method !== 'GET';
  const sent =
    json === undefined
      ? { body: body ?? null, headers }
      : { body: JSON.stringify(json), headers: { 'content-type': 'application/json', ...headers } };
  try {
    const limit = AbortSignal.timeout(limitMs ?? (isAction ? ACTION_LIMIT_MS : LIMIT_MS));
    return await fetch(path, { method, signal: end === undefined ? limit : firstOf(limit, end), ...sent });
  } catch (cause) {
    const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
    throw isLate ? new CallError('late', {}, cause) : await unansweredError(body, cause);
  }
}

/**
 * @param {string} path @param {Call} [call]
 * @returns {Promise<Response>} the response of a call that has succeeded
 * @throws {CallError}
 */
export async function request(path, call) {
  const response = await reach(path, call);
  if (response.status === 401) onShutOut();
  if (!response.ok) throw await refusalOf(response);
  return response;
}

/**
 * @template Data
 * @param {string} path @param {Call} [call]
 * @returns {Promise<Data>} the device's answer
 * @throws {CallError}
 */
export async function ask(path, call) {
  const response = await request(path, call);
  if (response.status === 204) return /** @type {Data} */ (undefined);
  try {
    return await response.json();
  } catch (cause) {
    throw new CallError('unreadable', {}, cause);
  }
}

/** @param {Readonly<Record<string, unknown>>} parameters @returns {Readonly<Record<string, string | number>>} */
const written = (parameters) =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, value]] : [],
    ),
  );

/** Prefixes of codes of displays: each kind of display has its own codes, which mean the same to a person. */
const DISPLAYS = ['SerialPort', 'BLEController', 'BLEInit', 'BLEService', 'Screen'];

/** @param {string} code of a failure */
export const isOfDisplay = (code) => DISPLAYS.includes(code.split('.', 1)[0] ?? '');

/** @param {Translator} translator @param {CallError} error @returns the key of its words; undefined where it has none */
function keyOf({ has }, { code, parameters: { fault, reason, needs } }) {
  if (isOfDisplay(code)) return 'problem.display';
  const general = `problem.${code}`;
  const own = [fault, reason, needs].flatMap((which) => [`${general}.${which}`, `problem.table.${which}`]);
  return [...own, general].find((each) => has(each));
}

/** What went wrong and what to do, for the person at the page. @param {Translator} translator @param {unknown} error */
export function wordsOf(translator, error) {
  if (!(error instanceof CallError)) return translator.t('problem.unreadable');
  const key = keyOf(translator, error);
  return key !== undefined && translator.has(key)
    ? translator.t(key, written(error.parameters))
    : translator.t('problem.other');
}

/** Keys of words that leave out details for a technician. */
const VAGUE = [
  'problem.display',
  'problem.Bank.Refused',
  'problem.Device.ConfigWrong',
  'problem.Internal.UnexpectedError',
  'problem.Items.PictureUnusable',
  'problem.RequestParams.InvalidField',
  'problem.RequestParams.InvalidField.old-cipher',
  'problem.RequestParams.TooLarge',
  'problem.RequestParams.UnsupportedMediaType',
];

/**
 * The error, where its words leave out details for a technician; else null.
 * @param {Translator} translator
 * @param {unknown} error
 */
export function errorWithDetails(translator, error) {
  if (!(error instanceof CallError)) return null;
  const key = keyOf(translator, error);
  return key === undefined || VAGUE.includes(key) ? error : null;
}

/** @param {File} file @returns {Promise<string>} its bytes as Base64 @throws {CallError} `lost-file` */
export const base64Of = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(new CallError('lost-file', {}, reader.error));
    reader.readAsDataURL(file);
  });
