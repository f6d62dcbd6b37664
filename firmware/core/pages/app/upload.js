/** Sends a file to the device with a report of progress, which `fetch` does not give. */
import { CallError, unansweredError } from './api.js';
import { refreshSession } from './session.js';

/** A device that accepts no byte for this long is gone; the whole file may take longer. */
const SILENCE_MS = 30_000;
/** Wait for the answer after the last byte: a slow card has much to write. */
const WRITING_MS = 20 * 60_000;

/**
 * @template Answer
 * @param {string} path @param {Readonly<Record<string, string | File>>} fields @param {(share: number) => void} onShare 0 to 1
 * @returns {Promise<Answer>}
 * @throws {CallError}
 */
export function upload(path, fields, onShare) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return new Promise((resolve, reject) => {
    const call = new XMLHttpRequest();
    call.open('POST', path);
    call.responseType = 'json';
    const giveUp = () => {
      reject(new CallError('late'));
      call.abort();
    };
    let silence = setTimeout(giveUp, SILENCE_MS);
    /** @param {number} limitMs */
    const wait = (limitMs) => {
      clearTimeout(silence);
      silence = setTimeout(giveUp, limitMs);
    };
    call.upload.onprogress = ({ loaded, total }) => {
      wait(SILENCE_MS);
      onShare(total === 0 ? 0 : loaded / total);
    };
    call.upload.onload = () => wait(WRITING_MS);
    call.onloadend = () => clearTimeout(silence);
    call.onerror = () => void unansweredError(fields.file).then(reject);
    call.onload = () => {
      if (call.status === 401) refreshSession();
      const { code, ...rest } = call.response ?? {};
      if (call.status === 200) resolve(call.response);
      else reject(new CallError(code ?? 'unreadable', rest));
    };
    call.send(form);
  });
}
