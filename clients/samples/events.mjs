// Takes one payment through Laneware and follows it by the stream of events, with nothing but Node 18 or newer:
//
//   node events.mjs 12345 "Apples, 2 kg"     amount in kopecks
//
// LANEWARE_URL is the lane (http://127.0.0.1:1234), LANEWARE_TOKEN the token of the till, where the lane asks for one.
// LANEWARE_WAIT_S seconds after its code is shown (420) it ends: the bank has not reported on the payment.
// Ends with 0 when it is paid, 1 when it is not, 2 when it is unknown whether it is paid: then look at the payment before anything is sold again.
// Ends with 3 when it is called wrongly: nothing was asked then.
import { randomUUID } from 'node:crypto';

const [amount = '', purpose] = process.argv.slice(2);
if (!/^\d{1,15}$/.test(amount)) {
  console.error('usage: node events.mjs 12345 "Apples, 2 kg"');
  process.exit(3);
}
const till = process.env.LANEWARE_URL ?? 'http://127.0.0.1:1234';
const token = process.env.LANEWARE_TOKEN;
const access = token === undefined ? {} : { authorization: `Bearer ${token}` };
const sale = { amount: Number(amount), purpose, ttl: 5 };
const key = randomUUID(); // names the sale: sent again it stays the same one
const ANSWER_LIMIT_MS = 40_000;
const GIVE_UP_MS = 120_000;
const STREAM_MS = 20_000; // that of a device without power never ends: it is begun anew
// the code's own time, a minute in which the customer may be confirming, and one for the bank
const WAIT_MS = 1000 * (process.env.LANEWARE_WAIT_S ?? (sale.ttl + 2) * 60);
let end = Date.now() + GIVE_UP_MS;
let last = null; // number of the last event that was dealt with: keep it, and nothing is missed
const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));

async function* events() {
  while (Date.now() < end) {
    try {
      const headers = last === null ? access : { ...access, 'last-event-id': last };
      const { ok, body } = await fetch(`${till}/v1/events`, {
        headers,
        signal: AbortSignal.timeout(Math.max(0, Math.min(STREAM_MS, end - Date.now()))),
      });
      let text = '';
      for await (const chunk of ok ? body.pipeThrough(new TextDecoderStream()) : []) {
        text += chunk;
        for (let at = text.indexOf('\n\n'); at >= 0; at = text.indexOf('\n\n')) {
          const field = (name) => text.slice(0, at).match(new RegExp(`^${name}: (.*)$`, 'm'))?.[1];
          yield { name: field('event'), data: JSON.parse(field('data')) };
          last = field('id');
          text = text.slice(at + 2);
        }
      }
    } catch {
      // the device is away: come back with the last number
    }
    await pause();
  }
}

/** Sends until there is an answer: none, 429 or 5xx passes, and says nothing of what was done. */
async function ask(path, init) {
  let why = 'the device does not answer';
  let isUsedUp = false; // the key: its payment can no longer be paid
  for (;;) {
    const headers = { ...access, ...init?.headers };
    const signal = AbortSignal.timeout(ANSWER_LIMIT_MS);
    const answer = await fetch(till + path, { ...init, headers, signal }).catch(() => null);
    const body = (await answer?.json().catch(() => null)) ?? null;
    if (body !== null && answer.ok) return body;
    if (body !== null) why = `${body.code}: ${body.detail}`;
    isUsedUp = body?.repeat === false;
    const isPassing = body === null || answer.status === 429 || answer.status >= 500;
    if (isUsedUp || !isPassing || Date.now() > end) break;
    await pause();
  }
  console.error(why);
  process.exit(isUsedUp ? 1 : 2);
}

const headers = { 'content-type': 'application/json', 'Idempotency-Key': key };
const sell = () => ask('/v1/payments', { method: 'POST', headers, body: JSON.stringify(sale) });
let payment = await sell();
end = Date.now() + WAIT_MS;
for await (const { name, data } of events()) {
  // hello comes again after each lost connection: something may have been missed
  if (name === 'hello') payment = await sell();
  // reading is what counts as heard
  else if (data.payment?.id === payment.id && data.payment.state !== 'PENDING')
    payment = await ask(`/v1/payments/${payment.id}?wait=0`);
  if (payment.state !== 'PENDING') break;
}
// the stream may have been away
if (payment.state === 'PENDING') payment = await ask(`/v1/payments/${payment.id}?wait=0`);
const { id, state } = payment;
console.log(`${state === 'ACCEPTED' ? 'paid' : state}: ${id}`);
process.exit({ ACCEPTED: 0, REJECTED: 1, CANCELED: 1, ERROR: 1 }[state] ?? 2); // of a static code nobody knows
