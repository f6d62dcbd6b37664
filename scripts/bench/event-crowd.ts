/** `node scripts/bench/event-crowd.ts URL ID`: 50 streams of events, and 100 calls that wait for a payment, until it is ended. */
const STREAMS = 50;
const WAITING = 100;

const [, , terminal = '', payment = ''] = process.argv;
let events = 0;

async function follow(): Promise<void> {
  const { ok, body } = await fetch(`${terminal}/v1/events?types=payment.created,payment.shown,payment.accepted`);
  if (!ok || body === null) throw new Error('a stream of events was refused');
  for await (const chunk of body) events += Buffer.from(chunk).toString().split('\nevent: payment').length - 1;
}

async function wait(): Promise<never> {
  for (;;) {
    const answer = await fetch(`${terminal}/v1/payments/${payment}?wait=25&state=PENDING`);
    if (!answer.ok) throw new Error(await answer.text());
    await answer.arrayBuffer();
  }
}

const finish = (): void => {
  process.stdout.write(`${JSON.stringify({ events })}\n`);
  process.exit();
};
process.once('SIGTERM', finish);
const reading = Array.from({ length: STREAMS }, follow);
const waiting = Array.from({ length: WAITING }, wait);
setTimeout(() => process.stdout.write('{"ready":true}\n'), 1000);
await Promise.all([...reading, ...waiting]);
