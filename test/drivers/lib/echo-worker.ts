/** Obeys its orders, one by one. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (order: string) => {
  const [verb, ...words] = order.split(' ');
  if (verb === 'say') for (const word of words) parentPort?.postMessage(word);
  if (verb === 'die') process.exit(3);
  if (verb === 'throw') throw new Error(words.join(' '));
  if (verb === 'hang') while (true);
});
