/**
 * `node scripts/bench/told.ts`: how long a till waits from paid at the bank to ACCEPTED, and how often the bank is asked,
 * at each bank of `test/banks/`. Virtual time, so that no machine changes a figure; `SEED` draws other customers. The
 * schedule that was used before is computed for customers of the same kind. The last line is of this machine's own clock: from
 * ACCEPTED in the ledger to the first sample of the voice, played by `aplay` to a device that is a file.
 */
import { SBER_PRESENT } from '../../test/terminal/banks/profiles.ts';
import { CONFORMING, type ConformingBank } from '../../test/terminal/conformance/banks.ts';
import { seeded } from '../../test/tools/seeded.ts';
import { toFirstSample } from '../../test/tools/told/first-sample.ts';
import { drawAnswer, drawPayer, quantile } from '../../test/tools/told/payers.ts';
import { type Told, telling } from '../../test/tools/told/told.ts';
import { amountOf } from './quick.ts';

const SALES = amountOf({ full: Number(process.env.SALES ?? 300), quick: 3 });
const SPOKEN = amountOf({ full: 50, quick: 2 });
const COMPUTED = 20_000;
const SEED = Number(process.env.SEED ?? 1);
/** Banks that do not report that a customer is paying, or of which that is not known. */
const NEVER_SHOWN = ['YooKassa', 'CFT', SBER_PRESENT];
const UNPAID_MINUTES = 5;
const STUCK_MINUTES = 60;

type Figures = Pick<Told, 'book' | 'poll' | 'questions'>;

/** The schedule used before: pauses of a second, half as long again each time, at most five; anew after `processing`. */
function before(isShown: boolean): Figures {
  const random = seeded(SEED);
  const told: Figures = { book: [], poll: [], questions: [] };
  const pause = (asked: number): number => Math.min(1000 * 1.5 ** asked, 5000) * (1 + 0.15 * (2 * random() - 1));
  for (let n = 0; n < COMPUTED; n += 1) {
    const { paidAt, payingAt } = drawPayer(random);
    for (let now = 0, asked = 0, questions = 1; ; asked += 1, questions += 1) {
      now += pause(asked);
      const answer = drawAnswer(random);
      const looked = now + answer / 2;
      now += answer;
      if (looked >= paidAt) {
        told.book.push(now - paidAt);
        told.poll.push(now - paidAt + random() * 1000);
        told.questions.push(questions);
        break;
      }
      if (isShown && looked >= payingAt) asked = -1;
    }
  }
  return told;
}

const seconds = (values: readonly number[], share: number): string => (quantile(values, share) / 1000).toFixed(2);
const both = (values: readonly number[]): string => `${seconds(values, 0.5)} ${seconds(values, 0.95)}`;
const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

const COLUMNS = [36, 14, 14, 14, 14, 14, 14, 14, 8, 8];

function row(...cells: readonly string[]): void {
  process.stdout.write(`${cells.map((cell, n) => cell.padEnd(COLUMNS[n] ?? 0)).join('')}\n`);
}

const asked = ({ questions }: Figures): string => `${mean(questions).toFixed(1)} ${quantile(questions, 0.95)}`;

async function measure(bank: ConformingBank): Promise<void> {
  const isShown = !NEVER_SHOWN.includes(bank.title);
  const given = { isShown, seed: SEED };
  const told = await telling(bank, given, (lane) => lane.sell(SALES));
  const unpaid = await telling(bank, given, (lane) => lane.leave(UNPAID_MINUTES, 'open'));
  const stuck = await telling(bank, given, (lane) => lane.leave(STUCK_MINUTES, 'processing'));
  const { book, wait, stream, poll, picture, sound } = told;
  const times = [book, wait, stream, poll, picture, sound].map(both);
  row(`${bank.title}${isShown ? '' : ', never shown'}`, ...times, asked(told), String(unpaid), String(stuck));
}

process.stdout.write(`${SALES} sales a bank; seconds from paid, p50 and p95; seed ${SEED}\n`);
row('', 'ledger', 'wait', 'stream', 'poll of 1 s', 'picture', 'sound', 'questions', 'unpaid', 'stuck');
for (const [name, isShown] of [
  ['before, shown (computed)', true],
  ['before, never shown (computed)', false],
] as const) {
  const figures = before(isShown);
  row(name, both(figures.book), '', '', both(figures.poll), '', '', asked(figures));
}
for (const bank of CONFORMING) await measure(bank);
const voice = await toFirstSample(SPOKEN);
const [median, high] = [0.5, 0.95].map((share) => quantile(voice, share).toFixed(0));
process.stdout.write(`ACCEPTED to the first sample of the voice, ${SPOKEN} sales: ${median} ms, ${high} ms\n`);
