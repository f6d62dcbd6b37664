/**
 * Four pages of the console, as a thread of its own (`workerData`: address of the recognition device): in a shop, the
 * browser is another machine, and what it reads must not delay the till that is measured.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import type { PaymentView } from '../../firmware/console/console-view.ts';

/** What each page asks for when a sale has changed, and how long after that (`useSales`). */
const ASKED_BY = {
  checkout: ['/v1/reports/day'],
  payments: ['/v1/reports/day', `/v1/payments?day=${new Date().toLocaleDateString('sv')}&limit=100`],
  totals: ['/v1/reports/day'],
  shifts: ['/v1/shifts/current'],
};
const SALE_MS = 500;
/** A state of the device, among greetings and beats. */
const STATE = /^event: message\ndata: (.*)$/m;

const { url }: { readonly url: string } = workerData;
const get = async (path: string): Promise<void> => void (await (await fetch(url + path)).arrayBuffer());

/** Follows the device's state as a page does. */
async function follow(body: ReadableStream<Uint8Array>, paths: readonly string[]): Promise<void> {
  let [text, shown] = ['', ''];
  let isAsking = false;
  const ask = async (): Promise<void> => {
    isAsking = true;
    await pause(SALE_MS);
    isAsking = false;
    await Promise.all(paths.map(get));
  };
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const messages = (text + piece).split('\n\n');
    text = messages.pop() ?? '';
    for (const [, sent] of messages.map((message) => STATE.exec(message) ?? [])) {
      if (sent === undefined) continue;
      const { recent }: { recent: PaymentView[] } = JSON.parse(sent);
      const sales = JSON.stringify(
        recent.map(({ orderId, state, refunded, late }) => [orderId, state, refunded, late]),
      );
      if (sales !== shown && !isAsking) void ask();
      shown = sales;
    }
  }
}

async function open(paths: readonly string[]): Promise<() => Promise<void>> {
  const { body } = await fetch(`${url}/console/api/overview/events`);
  if (body === null) throw new Error('the device sends no states');
  return () => follow(body, paths);
}

const pages = await Promise.all(Object.values(ASKED_BY).map(open));
parentPort?.postMessage('open');
await Promise.all(pages.map((page) => page()));
