// Takes one payment through Laneware, with nothing but Node 18 or newer:
//
//   node pay.mjs 12345 "Apples, 2 kg"        amount in kopecks
//
// LANEWARE_URL is the lane (http://127.0.0.1:1234), LANEWARE_TOKEN the token of the till, where the lane asks for one.
// LANEWARE_WAIT_S seconds after its code is shown (420) an open payment is taken back: its bank has not reported on it.
// Ends with 0 when it is paid, 1 when it is not, 2 when it is unknown whether it is paid: then look at the payment before anything is sold again.
// Ends with 3 when it is called wrongly: nothing was asked then.
import { randomUUID } from 'node:crypto';

const LANE = process.env.LANEWARE_URL ?? 'http://127.0.0.1:1234';
const TOKEN = process.env.LANEWARE_TOKEN;
const ANSWER_LIMIT_MS = 40_000;
const GIVE_UP_MS = 120_000;
const TTL_MINUTES = 5;
// the code's own time, a minute in which the customer may be confirming, and one for the bank
const WAIT_MS = 1000 * (process.env.LANEWARE_WAIT_S ?? (TTL_MINUTES + 2) * 60);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function send(method, path, { body, headers } = {}) {
  const answer = await fetch(LANE + path, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(TOKEN && { authorization: `Bearer ${TOKEN}` }),
      ...headers,
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  return { status: answer.status, json: await answer.json() };
}

// No answer, 429 or 5xx passes, and says nothing of what was done: the same is sent again, and its key makes it the same
// payment. Only `repeat: false` says that the key is used up: its payment can no longer be paid.
async function sendUntilAnswered(method, path, request) {
  const end = Date.now() + GIVE_UP_MS;
  for (;;) {
    const answer = await send(method, path, request).catch((error) => ({ status: 0, json: { detail: String(error) } }));
    if (answer.status >= 200 && answer.status < 300) return answer.json;
    const isUsedUp = answer.json.repeat === false;
    const isPassing = [0, 429].includes(answer.status) || answer.status >= 500;
    if (isUsedUp || !isPassing || Date.now() > end)
      throw Object.assign(new Error(`${answer.json.code ?? 'no answer'}: ${answer.json.detail}`), { isUsedUp });
    await pause(1000);
  }
}

async function pay(amount, purpose, key) {
  let payment = await sendUntilAnswered('POST', '/v1/payments', {
    body: { amount, purpose, ttl: TTL_MINUTES },
    headers: { 'Idempotency-Key': key },
  });
  console.log(`payment ${payment.id}: the code is on the display`);
  const end = Date.now() + WAIT_MS;
  while (payment.state === 'PENDING' && Date.now() < end)
    payment = await sendUntilAnswered('GET', `/v1/payments/${payment.id}?wait=25`);
  if (payment.state === 'PENDING') ({ payment } = await sendUntilAnswered('POST', `/v1/payments/${payment.id}/cancel`));
  if (payment.state === 'PENDING')
    throw new Error(
      `payment ${payment.id}: unknown whether it is paid: ${payment.silence?.detail ?? 'its bank does not report'}`,
    );
  return payment;
}

const [amount = '', purpose = ''] = process.argv.slice(2);
if (!/^\d{1,15}$/.test(amount)) {
  console.error('usage: node pay.mjs 12345 "Apples, 2 kg"');
  process.exit(3);
}
// A real till writes the key into its receipt before it asks: after a crash it sends the same again.
try {
  const { state } = await pay(Number(amount), purpose, randomUUID());
  console.log(state);
  process.exitCode = { ACCEPTED: 0, REJECTED: 1, CANCELED: 1, ERROR: 1 }[state] ?? 2; // of a static code nobody knows
} catch (error) {
  console.error(error.message);
  process.exitCode = error.isUsedUp ? 1 : 2;
}
