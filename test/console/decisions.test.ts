/** What the pages decide and say, without a browser: amounts, states of payments, the tray, areas, orders, calls, refusals. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pageModule } from './pages.ts';

const test = suite('decisions of the pages');

interface Translator {
  readonly t: (key: string, parameters?: object) => string;
  readonly roubles: (kopecks: number) => string;
  readonly countdown: (ms: number) => string;
  readonly uptime: (seconds: number) => string;
  readonly size: (bytes: number) => string;
}
const { TRANSLATORS, loadWords } = await pageModule<{
  TRANSLATORS: Readonly<Record<'en' | 'ru', Translator>>;
  loadWords(language: string): Promise<void>;
}>('core/pages/app/language.js');
await Promise.all(Object.keys(TRANSLATORS).map(loadWords));
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');

const amount = await pageModule<{ parseRoubles(text: string): object; typed(text: string, key: string): string }>(
  'core/pages/parts/amount.js',
);

test('an amount is read to the kopeck, with comma, point or spaces; other text is no amount', () => {
  for (const [text, read] of [
    ['0,01', { kopecks: 1 }],
    ['12.3', { kopecks: 1230 }],
    ['1 234,50', { kopecks: 123_450 }],
    ['1\u00a0234,50\u202f₽', { kopecks: 123_450 }],
    ['4,35 ₽', { kopecks: 435 }],
    ['1000000,00', { kopecks: 100_000_000 }],
    ['', { problem: 'empty' }],
    ['abc', { problem: 'shape' }],
    ['1,234', { problem: 'shape' }],
    ['1.234,50', { problem: 'shape' }],
    ['-5', { problem: 'shape' }],
    ['1e3', { problem: 'shape' }],
    ['0', { problem: 'least' }],
    ['1000000,01', { problem: 'most' }],
  ] as const)
    assert.equal(amount.parseRoubles(text), read, text);
});

test('the keypad writes no amount that cannot be read', () => {
  for (const [keys, text] of [
    [['9', '8', ',', ',', '5', '0', '7', 'back'], '98,5'],
    [[',', '5'], '0,5'],
    [['0', '7'], '7'],
    [['back'], ''],
  ] as const)
    assert.is(
      keys.reduce<string>((before, key) => amount.typed(before, key), ''),
      text,
      keys.join(),
    );
});

type Words = readonly [key: string, look: string];
const { stateOf } = await pageModule<{ stateOf(payment: object, isLive: boolean): Words }>(
  'payments/pages/payment-state.js',
);
const { ledgerState } = await pageModule<{ ledgerState(payment: object): Words }>('payments/pages/payment-state.js');

test('a payment has the same words and look on the lane and in the ledger, in each state', () => {
  const paid = { state: 'ACCEPTED', amount: 5500, refunded: 0, late: false, silence: null };
  for (const [payment, key, look] of [
    [paid, 'ACCEPTED', 'good'],
    [{ ...paid, refunded: 500 }, 'partBack', 'good'],
    [{ ...paid, refunded: 5500 }, 'back', 'rest'],
    [{ ...paid, late: true }, 'late', 'open'],
    [{ ...paid, late: true, refunded: 600 }, 'latePartBack', 'open'],
    [{ ...paid, late: true, refunded: 5500 }, 'back', 'open'],
    [{ ...paid, state: 'REJECTED' }, 'REJECTED', 'bad'],
    [{ ...paid, state: 'CANCELED' }, 'CANCELED', 'rest'],
    [{ ...paid, state: 'ERROR' }, 'ERROR', 'bad'],
    [{ ...paid, state: 'STATIC' }, 'STATIC', 'rest'],
  ] as const) {
    const words = [`payment.${key}`, look];
    assert.equal(stateOf(payment, true), words);
    assert.equal(stateOf(payment, false), words, 'an end is an end, though the device does not answer');
    assert.equal(ledgerState(payment), words);
  }
});

test('an open payment shows what is waited for, and nothing once the device does not answer', () => {
  const open = { state: 'PENDING', amount: 5500, refunded: 0, late: false, silence: null };
  const shown = { ...open, leftMs: 1000, seen: true, awaited: true, onDisplay: true };
  for (const [payment, key, look] of [
    [shown, 'PENDING', 'open'],
    [{ ...shown, awaited: false }, 'hungUp', 'open'],
    [{ ...shown, onDisplay: false }, 'notShown', 'open'],
    [{ ...shown, leftMs: 0 }, 'timeUp', 'open'],
    [{ ...shown, seen: false }, 'asking', 'open'],
    [{ ...shown, leftMs: null }, 'unknown', 'rest'],
  ] as const) {
    assert.equal(stateOf(payment, true), [`payment.${key}`, look]);
    assert.equal(stateOf(payment, false), ['payment.unknown', 'rest']);
  }
  assert.equal(ledgerState(open), ['payment.PENDING', 'open']);
  assert.equal(ledgerState({ ...open, silence: { code: 'Bank.Unreachable' } }), ['payment.silent', 'open']);
  const unstored = { ...open, silence: { code: 'Internal.StorageFull' } };
  assert.equal(ledgerState(unstored), ['payment.unstored', 'open'], 'the bank has reported it: it may be paid');
});

const { stillHolds } = await pageModule<{
  stillHolds(before: string | null, after: string): (subject: string | null) => boolean;
}>('console/pages/lane/message-subject.js');

test('an action’s message stands while news of it is under way, and goes when no longer true', () => {
  const holds = stillHolds('before', 'after');
  for (const [subject, isSo] of [
    ['before', true],
    ['after', true],
    ['before', false],
    ['after', true],
    ['other', false],
    [null, false],
  ] as const)
    assert.is(holds(subject), isSo, `${subject}`);
});

const things = await pageModule<{ trayWords(translator: Translator, tray: object | null): string }>(
  'recognition/pages/camera/camera-stage.js',
);

test('what lies on the tray is worded in both languages, and markup in a name is text', () => {
  const candidate = (id: string, name: string | null) => ({ id, name });
  const tea = { certain: true, reason: null, candidates: [candidate('7', 'Tea')] };
  const cup = {
    certain: false,
    reason: 'look-alikes',
    candidates: [candidate('1', '<b>Cup</b>'), candidate('2', null), candidate('3', 'Bowl')],
  };
  const few = { ...cup, reason: 'few-templates' };
  const none = { certain: false, reason: 'unknown', candidates: [] };
  const maybe = { ...tea, certain: false, reason: 'unlike' };
  const of = (thing: object, all: readonly object[] = [thing]) => ({ state: 'things', ...thing, things: all });
  for (const [tray, words] of [
    [null, ''],
    [{ state: 'lost' }, ''],
    [{ state: 'empty' }, 'The tray is empty.'],
    [of(tea), 'On the tray: Tea (7).'],
    [of(tea, [tea, tea]), 'On the tray: 2 × Tea (7).'],
    [of(none), 'On the tray: unknown item.'],
    [of(maybe), 'On the tray: perhaps Tea (7).'],
    [of(cup), 'On the tray: <b>Cup</b> (1) or 2 (they look alike). Add pictures of both from other sides.'],
    [of(few), 'On the tray: perhaps <b>Cup</b> (1). Too few pictures: add more.'],
    [{ ...of(tea, [tea, none]), reason: 'several-items' }, 'Several items: leave one. 1: Tea (7); 2: unknown item.'],
  ] as const) {
    assert.is(things.trayWords(TRANSLATORS.en, tray), words);
    assert.is(things.trayWords(TRANSLATORS.ru, tray) === '', words === '');
  }
});

interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}
const area = await pageModule<{
  changedArea(area: Area, corner: object, by: object, frame: object): Area;
  typedArea(area: Area, name: string, value: number, frame: object): Area;
  asCalibration(area: Area, frame: object): Area;
}>('recognition/pages/camera/camera-area.js');
const FRAME = { width: 640, height: 480 };
const MIDDLE = { left: 200, top: 100, width: 300, height: 200 };

test('an area is moved and pulled within its frame, and never becomes too small', () => {
  const numbers = ({ left, top, width, height }: Area) => [left, top, width, height];
  for (const [corner, by, expected] of [
    [{ x: 0, y: 0 }, { x: 40.4, y: 60 }, [240, 160, 300, 200]],
    [{ x: 0, y: 0 }, { x: -900, y: 900 }, [0, 280, 300, 200]],
    [{ x: -1, y: -1 }, { x: -100, y: -50 }, [100, 50, 400, 250]],
    [{ x: 1, y: 1 }, { x: 900, y: 900 }, [200, 100, 440, 380]],
    [{ x: 1, y: 0 }, { x: -900, y: 5 }, [200, 100, 8, 200]],
    [{ x: -1, y: 0 }, { x: 900, y: 0 }, [492, 100, 8, 200]],
  ] as const)
    assert.equal(numbers(area.changedArea(MIDDLE, corner, by, FRAME)), expected, JSON.stringify([corner, by]));
  assert.equal(numbers(area.typedArea(MIDDLE, 'width', 5000, FRAME)), [200, 100, 440, 200]);
  assert.equal(numbers(area.typedArea(MIDDLE, 'left', 7, FRAME)), [7, 100, 300, 200]);
});

test('an area is sent in the device’s coordinates, and its sides stay within the frame', () => {
  assert.equal(area.asCalibration(MIDDLE, FRAME), { left: 400, top: 150, width: 600, height: 300 });
  const frame = { width: 7, height: 3 };
  const { left, width } = area.asCalibration({ left: 3, top: 1, width: 4, height: 2 }, frame);
  assert.ok(left + width <= 1280);
});

interface Good {
  readonly id: string;
  readonly name: string | null;
  readonly templates: number;
}
const shelf = await pageModule<{ goodOf(item: object): Good }>('recognition/pages/items/shelf.js');
const search = await pageModule<{
  ordered(goods: readonly Good[], order: string, locale: string, hits: ReadonlyMap<string, object>): readonly Good[];
  matching(goods: readonly Good[], text: string, show: string, known: object): readonly Good[];
}>('recognition/pages/items/search.js');

test('items are found by name, code and barcode, and stand in the order that is wished for', () => {
  const goods = [
    ['1', 'Чёрный хлеб', 2],
    ['2', null, 0],
    ['3', 'Milk 10', 5],
    ['4', 'Milk 9', 1],
  ].map(([id, name, templates]) =>
    shelf.goodOf({ id, name, plu: `9${id}`, price: null, templates, picture: null, barcodes: [`460${id}`] }),
  );
  const known = { findings: { pairs: new Map([['1', []]]), strays: new Map([['4', []]]) }, hits: new Map() };
  const ids = (found: readonly Good[]) => found.map(({ id }) => id).join('');
  for (const [text, show, found] of [
    ['', 'all', '1234'],
    ['ХЛЕБ ', 'all', '1'],
    ['черный', 'all', '1'],
    ['ЧЁРН', 'all', '1'],
    ['milk', 'all', '34'],
    ['4603', 'all', '3'],
    ['92', 'all', '2'],
    ['', 'toReview', '14'],
    ['', 'untaught', '2'],
    ['', 'unnamed', '2'],
  ] as const)
    assert.is(ids(search.matching(goods, text, show, known)), found, `${text} ${show}`);
  const hits = new Map([
    ['3', { first: 1, total: 10 }],
    ['1', { first: 9, total: 10 }],
    ['4', { first: 0, total: 4 }],
  ]);
  for (const [by, sorted] of [
    ['code', '1234'],
    ['name', '4312'],
    ['pictures', '2413'],
    ['hits', '3124'],
  ] as const)
    assert.is(ids(search.ordered(goods, by, 'en-GB', hits)), sorted, by);
});

const { curlOf } = await pageModule<{ curlOf(state: object, call: object): string }>('features/call-log/page/call.js');

test('a call is a line that a shell takes, with any text in it', () => {
  const state = { terminalUrl: 'http://127.0.0.1:8080', terminalOnNetwork: true, certificate: null, needsToken: true };
  for (const [call, line] of [
    [{ method: 'GET', path: '/version' }, 'curl http://127.0.0.1:8080/version'],
    [{ method: 'POST', path: '/clearScreen' }, 'curl -X POST http://127.0.0.1:8080/clearScreen'],
    [{ method: 'GET', path: '/a?b=c' }, 'curl "http://127.0.0.1:8080/a?b=c"'],
    [
      { method: 'POST', path: '/showQR', key: 'one', body: '{"a":"it\'s $5"}' },
      `curl http://127.0.0.1:8080/showQR -H "Idempotency-Key: one" -H "Content-Type: application/json" -d '{"a":"it'\\''s $5"}'`,
    ],
  ] as const)
    assert.is(curlOf(state, call), line);
});

const api = await pageModule<{
  CallError: new (code: string, parameters?: object) => Error & { readonly field: string | null };
  isDecided(error: unknown): boolean;
  wordsOf(translator: Translator, error: unknown): string;
  errorWithDetails(translator: Translator, error: unknown): object | null;
}>('core/pages/app/api.js');

test('an action’s key is used up by a final refusal of the device, and by nothing else', () => {
  for (const [error, isDecided] of [
    [new api.CallError('silent'), false],
    [new api.CallError('late'), false],
    [new api.CallError('unreadable', { status: 502 }), false],
    ...['StorageFull', 'StorageRefused', 'UnexpectedError'].map(
      (member) => [new api.CallError(`Internal.${member}`), false] as const,
    ),
    [new api.CallError('SerialPort.NotOpenError', { repeat: true }), false],
    [new api.CallError('Internal.StorageFull', { repeat: false }), true],
    [new api.CallError('Bank.Refused'), true],
    [new Error('of the page itself'), false],
  ] as const)
    assert.is(api.isDecided(error), isDecided, error.message);
});

test('a refusal is shown in words, by its fault where known; without any the code is technical', () => {
  const worded = (code: string, parameters = {}) => api.wordsOf(TRANSLATORS.en, new api.CallError(code, parameters));
  assert.match(worded('silent'), 'The device is not answering');
  assert.match(worded('unreadable'), 'Unreadable answer');
  assert.match(worded('SignIn.TooManyTries', { seconds: 7 }), '7');
  for (const [code, isWhole] of [
    ['Made.Up', false],
    ['SerialPort.DeviceNotFoundError', false],
    ['Bank.Refused', false],
    ['RequestParams.InvalidField', false],
    ['RequestParams.TooLarge', false],
    ['RequestParams.UnsupportedMediaType', false],
    ['Items.PictureUnusable', false],
    ['SignIn.TooManyTries', true],
  ] as const) {
    const error = new api.CallError(code, { detail: 'the cat sleeps', seconds: 7 });
    assert.not.match(api.wordsOf(TRANSLATORS.en, error), /the cat sleeps|Error|[a-z]\.[A-Z]/, code);
    assert.is(api.errorWithDetails(TRANSLATORS.en, error), isWhole ? null : error, code);
  }
  assert.is(api.wordsOf(TRANSLATORS.en, new TypeError('of the page itself')), worded('unreadable'));
  assert.is(new api.CallError('A.B', { field: 'pin' }).field, 'pin');
});

const route = await pageModule<{
  routeOf(hash: string): { page: string; path: readonly string[]; query: URLSearchParams };
  hrefOf(page: string, path?: readonly string[], query?: object): string;
}>('core/pages/app/route.js');

test('an address names a page, what of it, and how it is sought; one that names none is the lane', () => {
  const href = route.hrefOf('items', ['a/b'], { text: 'Хлеб & соль', show: '' });
  const { page, path, query } = route.routeOf(href);
  assert.equal([page, path, [...query]], ['items', ['a/b'], [['text', 'Хлеб & соль']]]);
  for (const [hash, of] of [
    ...['', '#', '#/', '#/none', '#/none/7'].map((none) => [none, 'lane'] as const),
    ['#/payments/', 'payments'],
    ['#/items//', 'items'],
  ] as const) {
    const { page, path } = route.routeOf(hash);
    assert.equal([page, path], [of, []], hash);
  }
});

const { sentence } = await pageModule<{ sentence(text: string): string }>('core/pages/app/writing.js');

test('money, spans and sizes are written as people of the language write them', () => {
  for (const [language, said] of [
    ['en', ['₽1,234,567.89', '4:05', '2 hrs 5 mins', '1.5 kB']],
    ['ru', ['1 234 567,89 ₽', '4:05', '2 ч 5 мин', '1,5 кБ']],
  ] as const) {
    const { roubles, countdown, uptime, size } = TRANSLATORS[language];
    const written = [roubles(123_456_789), countdown(244_001), uptime(7500), size(1500)];
    assert.equal(written.map(plain), said, language);
  }
  assert.equal(['', 'a b', 'Is it?'].map(sentence), ['', 'A b.', 'Is it?']);
});

test.run();
