/** A stand-in for a device: it gives scripted answers, call by call. */
import { createServer, type ServerResponse } from 'node:http';
import { listening } from '../ports.ts';

export type Answer = (response: ServerResponse) => void;

/** What each answer of a device bears. */
export const MARK = Object.freeze({ 'laneware-request-id': 'made-up' });

export const answering =
  (status: number, body: object): Answer =>
  (response) =>
    void response.writeHead(status, { ...MARK, 'content-type': 'application/json' }).end(JSON.stringify(body));

/** Another program, or one in between. */
export const foreign =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html', ...headers }).end('<p>hello</p>');

export const hangUp: Answer = (response) => void response.destroy();
export const never: Answer = () => undefined;

/** As a call for it answers. */
export const PAYMENT = {
  id: 'p-1',
  number: 7,
  state: 'PENDING',
  amount: 1000,
  error: null,
  payload: null,
  link: null,
  warnings: [],
};

/** What it was asked is kept; the last answer is given again. */
export async function scripted(...answers: readonly Answer[]) {
  const asked: { readonly call: string; readonly key: unknown }[] = [];
  const left = [...answers];
  const server = createServer((request, response) => {
    asked.push({ call: `${request.method} ${request.url}`, key: request.headers['idempotency-key'] });
    request.resume().on('end', () => (left.length > 1 ? left.shift() : left[0])?.(response));
  });
  const at = await listening(server);
  return { ...at, asked, env: { LANEWARE_URL: at.url } };
}
