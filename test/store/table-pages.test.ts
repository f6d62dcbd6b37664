/** What a thread that reads a file sends: a small file may name a large text ten thousand times. */
import { once } from 'node:events';
import { serialize } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LostWorker } from '../../drivers/lib/asked-worker.ts';
import { readPages } from '../../drivers/lib/paged-thread.ts';
import { isWorkbook } from '../../firmware/core/tables/index.ts';
import { failed } from '../support.ts';
import { tableOf, workbookWith } from './workbooks.ts';

const test = suite('store: pages of tables');

const KIB = 1024;
/** A page, and the one item that it is full with. */
const MOST_PAGE_BYTES = 320 * KIB;
const LIMIT_MS = 60_000;

const OF_TABLES = new URL('../../firmware/core/tables/table-worker.ts', import.meta.url);
const OF_ITEMS = new URL('../../firmware/recognition/http/v1/item-file-worker.ts', import.meta.url);
const OF_TESTS = new URL('../drivers/lib/page-worker.ts', import.meta.url);

/** Bytes of each message of a thread until its last one. */
async function messagesOf(file: URL, workerData: unknown): Promise<number[]> {
  const thread = new Worker(file, { workerData });
  const bytes: number[] = [];
  try {
    for (;;) {
      thread.postMessage(null);
      const [page] = await once(thread, 'message');
      bytes.push(serialize(page).length);
      if (!Array.isArray(page) || page.length === 0) return bytes;
    }
  } finally {
    await thread.terminate();
  }
}

const named = '<c t="s"><v>0</v></c>';
const shared = (characters: number, cells: number, rows: number) =>
  workbookWith({
    texts: `<si><t>${'x'.repeat(characters)}</t></si>`,
    sheets: [{ name: 'a', rows: `<row>${named.repeat(cells)}</row>`.repeat(rows) }],
  });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));
const long = 'x'.repeat(3_000_000);

/** Files that are small, and whose content is not, or that are as large as a call takes. */
const FILES: Readonly<Record<string, Uint8Array>> = {
  'one text in ten thousand cells': await shared(200_000, 250, 40),
  'the longest text of Excel in ten thousand cells': await shared(32_767, 250, 40),
  'a row as long as may be, many times': await shared(32_767, 1, 200),
  'many short texts in each row': await shared(128, 256, 200),
  'formulas that nobody has calculated': await workbookWith({
    sheets: [{ name: 'a', rows: `<row>${`<c><f>${'A'.repeat(32_000)}</f></c>`.repeat(200)}</row>` }],
  }),
  'sheets with long names': await workbookWith({
    sheets: Array.from({ length: 50 }, (_, at) => ({ ...tableOf([['id']]), name: `${at}${'x'.repeat(15_000)}` })),
  }),
  'lines of cells alone': Buffer.from(`id,name\n${`${','.repeat(16_000)}x\n`.repeat(50)}`),
  'lines as long as may be': Buffer.from(`id,name\n${`a,${'я'.repeat(16_000)}\n`.repeat(100)}`),
  'a quotation mark that is never closed': Buffer.from(`id,name\n"${'x\n'.repeat(100_000)}`),
  'a document with a long name of a field': json({ items: [{ id: 'a', [long]: 1 }] }),
  'a document with a long id': json({ items: [{ id: long }] }),
  'a document of many entries': json({
    items: Array.from({ length: 10_000 }, (_, at) => ({ id: String(at), name: 'я'.repeat(100) })),
  }),
};

for (const [what, bytes] of Object.entries(FILES))
  test(`no message is large: ${what}`, async () => {
    const isDocument = bytes[0] === '{'.charCodeAt(0);
    const files = isDocument ? [] : [messagesOf(OF_TABLES, { bytes, form: 'table' })];
    if (!isWorkbook(bytes) && !isDocument) files.push(messagesOf(OF_TABLES, { bytes, form: 'lines' }));
    const kind = isDocument ? 'json' : 'csv';
    const messages = await Promise.all([...files, messagesOf(OF_ITEMS, { kind, bytes, prices: null })]);
    for (const each of messages) {
      assert.ok(each.length > 0);
      assert.ok(Math.max(...each) <= MOST_PAGE_BYTES, `${Math.max(...each)} bytes in one message`);
    }
  });

test('a page ends by its bytes as well as by its items', async () => {
  const messages = await messagesOf(OF_TESTS, { items: 64, texts: 10, characters: 1000 });
  assert.is(messages.length, 17, 'sixteen pages of four items, and the empty one');
});

for (const [what, told] of Object.entries({
  'an item': { items: 1, texts: 10_000, characters: 100 },
  'a refusal': { items: 0, texts: 0, characters: 0, refusal: 1_000_000 },
  'all that a thread sends': { items: 3000, texts: 1, characters: 60_000 },
}))
  test(`${what} has a limit, above which the thread is lost`, async () => {
    const read = async (): Promise<void> => {
      const options = { name: 'test', limitMs: LIMIT_MS, maxHeapMb: 64, kinds: [] };
      for await (const _ of readPages(OF_TESTS, told, options));
    };
    assert.match((await failed(LostWorker, read())).message, /it would send more than \d+ bytes/);
  });

test.run();
