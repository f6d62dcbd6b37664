/**
 * What the pages promise a till's programmer of the sandbox bank: each line of its outcomes, sent to a simulated lane, and the
 * events that come of them.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventReader } from '../events.ts';
import { Program } from '../process.ts';
import { type Answer, call, temporaryFolder, until } from '../support.ts';
import { read } from './pages.ts';

const test = suite('outcomes of the sandbox bank, as documented');

const [, TABLE = ''] = read('docs/sandbox-bank.md').split('## What a till must handle');
const ROW = /^\| (?<title>[^|]+) \| (?<amount>\d+)(?:, `ttl` (?<ttl>\d+))? \| (?<steps>[^|]+) \| (?<takes>[^|]+) \|$/gm;
const STEP = /^(?<step>[a-z ]+?)(?: (?<sum>\d+|all))?(?:: (?<status>\d{3})?(?: ?`(?<word>[\w.-]+)`)?)?$/;

/** How fast the lane's clock goes: what takes minutes in the shop must not, and a code must outlive a slow bank. */
const SPEEDS = { minutes: 100, seconds: 10, shop: 1 } as const;
/** How much of the minute of a code is skipped where what comes after it must be seen in the time of a shop. */
const MOST_OF_A_MINUTE_S = 55;

const ARGS = ['--port', '0', '--recognition-port', '0', '--bank-port', '0', '--control-port', '0'];

interface Urls {
  readonly terminal: string;
  readonly sandbox: string;
  readonly control: string;
}

interface SeenEvent {
  readonly type?: string;
  readonly payment?: { readonly id: string; readonly amount: number };
}

const folder = temporaryFolder();
let program: Program;
let urls: Urls;
test.before(async () => {
  const env = {
    LANEWARE_MODEL_MANIFEST: '/nonexistent/no-model.json',
    LANEWARE_LOG_LEVEL: 'silent',
    TMPDIR: folder.path,
  };
  program = new Program(['firmware/tools/sim/main.ts', ...ARGS], env);
  urls = await program.line<Urls>((line) => ('control' in line ? (line as unknown as Urls) : null));
});
test.after(async () => {
  await program.kill('SIGTERM');
  folder[Symbol.dispose]();
});

/** A till with one sale, which takes the steps of a line. */
class Till {
  readonly #name: string;
  readonly #sale: { readonly amount: number; readonly ttl: number; readonly purpose: string };
  #id = '';
  #refunds = 0;

  constructor(name: string, amount: number, ttl: number) {
    this.#name = name;
    this.#sale = { amount, ttl, purpose: name };
  }

  /** @returns its answer, and the word in it that matters; null where a step has none */
  async take(step: string, sum: string): Promise<readonly [Answer, string] | null> {
    switch (step) {
      case 'sale':
      case 'same':
        return this.#sell(this.#sale, 'key');
      case 'other amount':
        return this.#sell({ ...this.#sale, amount: 100 }, 'key');
      case 'other key':
        return this.#sell(this.#sale, 'other');
      case 'look':
        return this.#look();
      case 'cancel': {
        const answer = await call(`${this.#url}/cancel`, { method: 'POST' });
        return [answer, answer.body.outcome];
      }
      case 'refund': {
        this.#refunds += 1;
        const headers = { 'idempotency-key': `${this.#name} ${this.#refunds}` };
        const json = { amount: sum === 'all' ? sum : Number(sum) };
        const answer = await call(`${this.#url}/refunds`, { json, headers });
        return [answer, answer.body.code ?? answer.body.state];
      }
      case 'customer pays': {
        const answer = await call(`${urls.control}/sandbox/payments/${this.#id}/pay`, { method: 'POST' });
        assert.is(answer.status, 200, answer.text);
        return null;
      }
      default:
        throw new Error(`no till knows the step "${step}"`);
    }
  }

  /** Asks until the state of the payment, or of its last refund, is that word. */
  async becomes(step: string, word: string): Promise<void> {
    let state = '';
    await until(`${step} ${word}`, async () => {
      const { body } = await call(`${this.#url}${step === 'wait' ? '?wait=25' : ''}`);
      state = step === 'later refund' ? body.refunds.at(-1).state : body.state;
      return state === word || (step === 'wait' && state !== 'PENDING');
    });
    assert.is(state, word);
  }

  get #url(): string {
    return `${urls.terminal}/v1/payments/${this.#id}`;
  }

  async #sell(json: object, key: string): Promise<readonly [Answer, string]> {
    const headers = { 'idempotency-key': `${this.#name} ${key}` };
    const answer = await call(`${urls.terminal}/v1/payments`, { json, headers });
    this.#id ||= answer.body.id ?? '';
    return [answer, answer.body.code ?? answer.body.state];
  }

  async #look(): Promise<readonly [Answer, string]> {
    const answer = await call(this.#url);
    return [answer, answer.body.state];
  }
}

async function control(method: 'POST' | 'PUT', path: string, json: object): Promise<void> {
  const { status, text } = await call(`${urls.control}${path}`, { json, method });
  assert.is(status, 200, text);
}
const goAt = (speed: keyof typeof SPEEDS) => control('PUT', '/clock', { speed: SPEEDS[speed] });

const MINUTES = '5';
const LATER = ['wait', 'later', 'later refund'];
const rows = [...TABLE.matchAll(ROW)].map(({ groups = {} }) => groups);

test('the table has a line for each outcome', () => {
  const lines = TABLE.split('\n## ')[0]?.match(/^\| (?!what happens)[^|]+ \|/gm) ?? [];
  assert.is(rows.length, lines.length, 'each line is read');
  for (const word of [
    'ACCEPTED',
    'REJECTED',
    'CANCELED',
    'withdrawn',
    'done',
    'refused',
    'unknown',
    'Bank.Unreachable',
  ])
    assert.ok(
      rows.some(({ steps }) => steps?.includes(`\`${word}\``)),
      word,
    );
});

for (const { title = '', amount, ttl = MINUTES, steps = '', takes = '' } of rows) {
  test(`${title}: ${amount}`, async () => {
    // what has ended and is accepted half a minute later must be seen in between, on a busy machine, too
    const isBrief = /`CANCELED`; later: `ACCEPTED`/.test(steps);
    await goAt(isBrief ? 'shop' : /min/.test(takes) ? 'minutes' : 'seconds');
    const till = new Till(`${title} ${amount}`, Number(amount), Number(ttl));
    for (const text of steps.split('; ')) {
      if (isBrief && text.startsWith('wait')) await control('POST', '/clock/advance', { seconds: MOST_OF_A_MINUTE_S });
      if (isBrief && text.startsWith('later')) await goAt('minutes');
      const { step = '', sum = '', status, word = '' } = STEP.exec(text)?.groups ?? {};
      if (LATER.includes(step)) {
        await till.becomes(step, word);
        continue;
      }
      const taken = await till.take(step, sum);
      if (taken === null) continue;
      const [answer, outcome] = taken;
      assert.equal([answer.status, outcome], [Number(status ?? answer.status), word], `${text}: ${answer.text}`);
    }
  });
}

test('each event of the documents comes by the amount that they name', async () => {
  const [, triggers = ''] = read('docs/events.md').split('## Trigger an event');
  const named = [...(triggers.split('\n## ')[0] ?? '').matchAll(/^\| (?<events>[^|]*`[^|]+) \| (?<amount>\d+)/gm)];
  assert.ok(named.length > 5);
  const [late] = (await call(`${urls.terminal}/v1/payments?late=true&amount=5017`)).body.payments;
  assert.is((await call(`${urls.terminal}/v1/payments/${late.id}/acknowledge`, { json: {} })).status, 200);

  const came = new Map<string, { readonly amount: number; readonly types: Set<string> }>();
  await using stream = await EventReader.open<SeenEvent>(`${urls.terminal}/v1/events?after=0`);
  while (came.get(late.id)?.types.has('payment.acknowledged') !== true) {
    const { type, payment } = (await stream.next())?.data ?? {};
    if (type === undefined || payment === undefined) continue;
    const { amount, types } = came.get(payment.id) ?? { amount: payment.amount, types: new Set() };
    came.set(payment.id, { amount, types: types.add(type) });
  }
  for (const { groups: { events = '', amount = '' } = {} } of named) {
    const types = [...events.matchAll(/`((?:payment|refund)\.\w+)`/g)].map(([, type = '']) => type);
    const sales = [...came.values()].filter((sale) => sale.amount === Number(amount));
    assert.ok(
      types.length > 0 && sales.some((sale) => types.every((type) => sale.types.has(type))),
      `${amount}: ${types} of ${sales.map((sale) => [...sale.types])}`,
    );
  }
});

test.run();
