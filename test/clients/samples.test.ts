/** The one-file samples, each run as a till would run it, against a device with the sandbox bank. */

import { readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { blocksOf, read } from '../docs/pages.ts';
import { missingPrograms, needing } from '../needing.ts';
import { type Listening, listening } from '../ports.ts';
import { Program } from '../process.ts';
import { ROOT } from '../root.ts';
import { runCommand } from '../runner/command.ts';
import { call, setUp, startTestDevice, type TestDevice, temporaryFolder, until } from '../support.ts';

const test = suite('samples for tills');
const SAMPLES = join(ROOT, 'clients/samples');
const builds = temporaryFolder();
/** As `Pay.cs` says of itself. */
const CSHARP = ['-r:System.Net.Http', '-r:System.Runtime.Serialization'];

interface Sample {
  readonly language: string;
  readonly programs: readonly string[];
  readonly command: readonly string[];
}

const LANGUAGES: readonly Sample[] = [
  { language: 'JavaScript', programs: [], command: [process.execPath, join(SAMPLES, 'pay.mjs')] },
  { language: 'Python', programs: ['python3'], command: ['python3', join(SAMPLES, 'pay.py')] },
  { language: 'PHP', programs: ['php'], command: ['php', join(SAMPLES, 'pay.php')] },
  { language: 'C#', programs: ['mcs', 'mono'], command: ['mono', join(builds.path, 'Pay.exe')] },
];

/** The sale of the document: a file of its own, which names the device. */
const DOCUMENTED: Sample = {
  language: 'till.md',
  programs: [],
  command: [process.execPath, join(builds.path, 'till.mjs')],
};
const EVENTS: Sample = {
  language: 'events.mjs',
  programs: [],
  command: [process.execPath, join(SAMPLES, 'events.mjs')],
};

let device: TestDevice;
test.before(async () => {
  device = await startTestDevice();
  await setUp(device);
  if (missingPrograms('mcs', 'mono') !== null) return;
  const built = await runCommand('mcs', [...CSHARP, `-out:${join(builds.path, 'Pay.exe')}`, join(SAMPLES, 'Pay.cs')]);
  assert.is(built.code, 0, built.output);
});
test.after(async () => {
  await device[Symbol.asyncDispose]();
  builds[Symbol.dispose]();
});

interface SandboxPayment {
  readonly qrcId: string;
  readonly amount: number;
  readonly state: string;
  /** Whether it has its code. */
  readonly coded: boolean;
}
const booked = async (amount: number): Promise<SandboxPayment[]> => {
  const { body } = await call(`${device.sandbox}/sandbox/payments`);
  return body.filter((payment: SandboxPayment) => payment.amount === amount);
};

/** As its customer: pays the code for an amount as soon as it is there. */
async function payFor(amount: number): Promise<void> {
  const { qrcId } = await until('the code', async () =>
    (await booked(amount)).find(({ state, coded }) => state === 'open' && coded),
  );
  await call(`${device.sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
}

const startedWith = (
  { command: [program = '', ...args] }: Sample,
  given: readonly string[],
  url: string,
  more: Readonly<Record<string, string>> = {},
): Program => new Program([...args, ...given], { LANEWARE_URL: url, HOME: builds.path, ...more }, { node: program });
const started = (
  sample: Sample,
  amount: number,
  url = device.terminal,
  more: Readonly<Record<string, string>> = {},
): Program => startedWith(sample, [String(amount), 'Яблоки, 2 кг'], url, more);
const faults = (list: readonly object[]) => call(`${device.sandbox}/sandbox/faults`, { json: { faults: list } });

type Scripted = (answer: ServerResponse) => void;
const says =
  (status: number, body: object): Scripted =>
  (answer) =>
    void answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const cut: Scripted = (answer) => void answer.destroy();
const open = says(201, { id: 'order-1', state: 'PENDING', silence: null });
const paid = says(200, { id: 'order-1', state: 'ACCEPTED', silence: null });
const failed = (status: number, more: object = {}) => says(status, { code: 'Made.Up', detail: 'made up', ...more });

/** A device that gives these answers one by one, the last one again, and whose stream of events begins and goes on. */
async function scripted(...answers: readonly Scripted[]) {
  const left = [...answers];
  const server = createHttpServer(({ url = '' }, answer) => {
    if (url.startsWith('/v1/events')) return void answer.writeHead(200).write('id: 1\nevent: hello\ndata: {}\n\n');
    (left.length > 1 ? left.shift() : left[0])?.(answer);
  });
  return { ...(await listening(server)), left };
}

/** Runs a sample against these answers. */
async function ended(sample: Sample, ...answers: readonly Scripted[]) {
  await using stand = await scripted(...answers);
  const text = blocksOf(read('docs/till.md')).find((block) => block.text.startsWith('const device = '))?.text ?? '';
  writeFileSync(String(DOCUMENTED.command[1]), text.replace('http://127.0.0.1:1234', stand.url));
  const till = started(sample, 100, stand.url);
  const { code } = await till.exited;
  return { code, errors: till.errors, left: stand.left.length };
}

/** A wire between till and device that breaks while the first answer comes. */
function breakingWire(): Promise<Listening> {
  let answers = 0;
  const device_ = new URL(device.terminal);
  const server = createServer((till) => {
    const upstream = connect(Number(device_.port), device_.hostname);
    till.pipe(upstream);
    const end = (): void => {
      till.destroy();
      upstream.destroy();
    };
    for (const socket of [till, upstream]) socket.on('error', end).on('close', end);
    upstream.on('data', (bytes: Buffer) => {
      answers += 1;
      if (answers === 1) till.end(bytes.subarray(0, bytes.length / 2), end);
      else till.write(bytes);
    });
  });
  return listening(server);
}

for (const sample of [...LANGUAGES, EVENTS, DOCUMENTED]) {
  const { language, programs } = sample;
  const sale = needing(missingPrograms(...programs), `the sample in ${language}`, test);

  sale(`${language}: what passes is sent again, before and after the code is shown`, async () => {
    const passing = [failed(500), cut, failed(429), failed(503)];
    const { code, errors } = await ended(sample, failed(507), open, ...passing, paid);
    assert.is(code, 0, errors);
  });

  sale(`${language}: a key that is used up is a sale that is not paid, and is not sent again`, async () => {
    for (const status of [502, 503]) {
      const { code, errors, left } = await ended(sample, failed(status, { repeat: false }), paid);
      assert.equal([code, left], [1, 1], errors);
      assert.match(errors, /Made\.Up: made up/);
    }
  });
}

for (const sample of [...LANGUAGES, EVENTS]) {
  const { language, programs } = sample;
  const sale = needing(missingPrograms(...programs), `the sample in ${language}`, test);

  sale(`${language}: wrong arguments print the usage, end with a code of their own, send nothing`, async () => {
    await using stand = await scripted(paid, paid);
    for (const given of [[], [''], ['-5'], ['1.5'], ['abc', 'Tea'], ['9'.repeat(30)]]) {
      const till = startedWith(sample, given, stand.url);
      assert.is((await till.exited).code, 3, `${given}: ${till.errors}`);
      assert.match(till.errors, /^usage: .* 12345 "Apples, 2 kg"\r?\n$/);
    }
    assert.is(stand.left.length, 2);
  });

  sale(`${language}: of a static code it is unknown whether it is paid`, async () => {
    const { code, errors } = await ended(sample, says(201, { id: 'order-1', state: 'STATIC', silence: null }));
    assert.is(code, 2, errors);
  });
}

for (const [index, sample] of LANGUAGES.entries()) {
  const { language, programs } = sample;
  const sale = needing(missingPrograms(...programs), `the sample in ${language}`, test);
  /** Of no other language, and no script of the sandbox bank. */
  const amount = (number: number): number => 100 * (1000 * (index + 1) + number);

  sale(`${language}: takes a payment`, async () => {
    const till = started(sample, amount(1));
    await payFor(amount(1));
    const { code } = await till.exited;
    assert.is(code, 0, till.errors);
    assert.match(till.output, /^payment \S+: the code is on the display\r?\nACCEPTED\r?\n$/);
    const { body } = await call(`${device.terminal}/v1/payments?amount=${amount(1)}`);
    assert.equal([body.payments[0].purpose, body.payments[0].state], ['Яблоки, 2 кг', 'ACCEPTED']);
  });

  sale(`${language}: distinguishes a declined payment from a paid one`, async () => {
    const till = started(sample, amount(2) + 1);
    assert.is((await till.exited).code, 1, till.errors);
    assert.match(till.output, /REJECTED/);
  });

  sale(`${language}: an answer that is lost on the way makes no second payment`, async () => {
    await using wire = await breakingWire();
    const till = started(sample, amount(3), wire.url);
    await payFor(amount(3));
    assert.is((await till.exited).code, 0, till.errors);
    assert.is((await booked(amount(3))).length, 1);
    const { body } = await call(`${device.terminal}/v1/payments?amount=${amount(3)}`);
    assert.is(body.payments.length, 1);
  });

  sale(`${language}: a key that is used up is not sent for ever`, async () => {
    await faults([{ call: 'register', kind: 'drop-before', times: 50 }]);
    const till = started(sample, amount(4));
    const { code } = await till.exited;
    await faults([]);
    assert.is(code, 1, till.output);
    assert.match(till.errors, /Bank\./);
  });

  sale(`${language}: a payment whose bank is silent is taken back in the end`, async () => {
    const till = started(sample, amount(5) + 3, device.terminal, { LANEWARE_WAIT_S: '0' });
    assert.is((await till.exited).code, 1, till.errors);
    assert.match(till.output, /CANCELED/);
  });

  sale(`${language}: an unknown outcome is reported as such`, async () => {
    await faults([{ call: 'cancel', kind: 'drop-before', times: 50 }]);
    const till = started(sample, amount(6) + 3, device.terminal, { LANEWARE_WAIT_S: '0' });
    const { code } = await till.exited;
    await faults([]);
    assert.is(code, 2, till.output);
    assert.match(till.errors, /payment \S+: unknown whether it is paid: .*bank/);
  });

  sale(`${language}: a refusal is printed in the device's words`, async () => {
    const till = started(sample, 0);
    assert.is((await till.exited).code, 2);
    assert.match(till.errors, /RequestParams\.InvalidField: amount must be/);
  });
}

test('1C: says what the others say', () => {
  const text = readFileSync(join(SAMPLES, 'pay.bsl'), 'utf8');
  for (const needed of ['"/v1/payments"', '"Idempotency-Key"', '?wait=25', '/cancel', '"PENDING"', '429', '500'])
    assert.ok(text.includes(needed), needed);
  const count = (word: RegExp): number => text.match(word)?.length ?? 0;
  assert.is(count(/^(Функция|Процедура) /gm), count(/^(КонецФункции|КонецПроцедуры)$/gm));
  assert.is(count(/ Цикл$/gm), count(/КонецЦикла;/g));
  assert.is(count(/ Тогда$/gm), count(/КонецЕсли;/g));
});

test.run();
