/** An answer that is made while it is sent: it has a status of its own where it cannot be made, and is never short in silence. */
import { Readable } from 'node:stream';
import fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { begun } from '../../drivers/lib/begun.ts';
import { RUSSIAN } from '../../drivers/lib/languages.ts';
import { russianCsv, type Sheet, sheetWorkbook } from '../../firmware/payments/reports/papers/sheet.ts';
import { call } from '../support.ts';

const test = suite('http: answers that are made while they are sent');

async function* upTo(broken: number, made: number[] = []): AsyncGenerator<string> {
  for (let at = 0; at < 5; at++) {
    if (at === broken) throw new Error('made up');
    made.push(at);
    yield `piece ${at}\n`;
  }
}

const whole = async (pieces: AsyncIterable<string>): Promise<string[]> => await Readable.from(pieces).toArray();
const failure = (work: Promise<unknown>): Promise<string> => work.then(String, (error: unknown) => String(error));

test('the first pieces are made at once, and each comes once, in its place', async () => {
  const made: number[] = [];
  const pieces = await begun(upTo(9, made), 2);
  assert.equal(made, [0, 1]);
  assert.equal(await whole(pieces), await whole(upTo(9)));
  assert.is((await whole(await begun(upTo(9), 50))).length, 5, 'also where there are fewer');
  assert.match(await failure(begun(upTo(1), 2)), /made up/);
});

test('what fails in its first rows has a status, and what fails later breaks off', async () => {
  const app = fastify();
  app.get<{ Params: { at: string } }>('/:at', async ({ params }, reply) =>
    reply.type('text/csv').send(Readable.from(await begun(upTo(Number(params.at)), 2))),
  );
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  try {
    for (const at of [0, 1]) assert.is((await call(`${address}/${at}`)).status, 500);
    for (const at of [2, 4]) {
      const answer = await fetch(`${address}/${at}`);
      assert.is(answer.status, 200);
      assert.match(await failure(answer.text()), /terminated/);
    }
    assert.match((await call(`${address}/9`)).text, /piece 4/);
  } finally {
    await app.close();
  }
});

const sheetWith = (value: () => string): Sheet<number> => ({
  name: 'a',
  columns: [{ head: 'zone', width: 8, value }],
  pieces: (async function* () {
    yield [1];
  })(),
});

test('so has a workbook, and a table for Excel', async () => {
  const broken = (): string => {
    throw new Error('made up');
  };
  assert.match(await failure(sheetWorkbook(sheetWith(broken), RUSSIAN)), /made up/);
  assert.match(await failure(begun(russianCsv(sheetWith(broken)), 2)), /made up/);
  const workbook = await sheetWorkbook(
    sheetWith(() => 'UTC'),
    RUSSIAN,
  );
  assert.ok((await workbook.toArray()).length > 0);
});

test.run();
