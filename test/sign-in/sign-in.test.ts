/** Signing in at a page: PINs, sessions, what a browser's calls are let do and what programs of the machine go on doing. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressOf, isMissing, RECOGNITION_ROLES, TERMINAL_ROLES } from '../http/declared.ts';
import { get } from '../http/raw.ts';
import {
  type Answer,
  call,
  each,
  onDevice,
  pick,
  setUp,
  startTestDevice,
  type TestDevice,
  temporaryFolder,
} from '../support.ts';

const http = suite('sign in by HTTP');
const it = each(http, onDevice);

const TECHNICIAN = '739105';
const CASHIER = '4826';
const SUPERVISOR = '520417';
const TOKEN = 'made-up-token-of-the-technician';

/** What Chromium sends with a call of a page of 127.0.0.1. */
const asPage = (base: string): Record<string, string> => ({ 'sec-fetch-site': 'same-origin', origin: base });

interface Sent {
  readonly method?: string;
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly cookie?: string;
}

/** Node's own `fetch` sends no `Sec-Fetch-Site`, and lets cookies be set. */
function page(base: string) {
  return (path: string, { headers = asPage(base), cookie, json, method }: Sent = {}): Promise<Answer> =>
    call(base + path, {
      method: method ?? (json === undefined ? 'GET' : 'POST'),
      headers: {
        ...headers,
        ...(cookie === undefined ? {} : { cookie }),
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
}

const cookieIn = ({ headers }: Answer): string => headers.get('set-cookie')?.split(';')[0] ?? '';
const program =
  (base: string) =>
  (path: string, sent: Sent = {}): Promise<Answer> =>
    page(base)(path, { headers: {}, ...sent });

const SESSION = '/console/api/session';
const OVERVIEW = '/console/api/overview';

async function setPin(recognition: string, role: string, pin: string): Promise<void> {
  const { status, text } = await program(recognition)(`/console/api/pins/${role}`, { method: 'PUT', json: { pin } });
  assert.is(status, 200, text);
}

async function setPins({ recognition }: TestDevice): Promise<void> {
  await setPin(recognition, 'technician', TECHNICIAN);
  await setPin(recognition, 'cashier', CASHIER);
}

const auditOf = async ({ recognition }: TestDevice) => (await program(recognition)('/console/api/audit')).body.lines;

/** Reads a stream, which throws where the device cuts it off, until it ends. */
async function follow(url: string, headers: Record<string, string>) {
  const { status, body } = await fetch(url, { headers });
  assert.is(status, 200);
  const stream = { hasEnded: false, ended: Promise.resolve() };
  const over = () => {
    stream.hasEnded = true;
  };
  stream.ended = (async () => {
    for await (const _ of body ?? []);
  })().then(over, over);
  return stream;
}

async function signedIn(base: string, secret: object): Promise<string> {
  const answer = await page(base)(SESSION, { json: secret });
  assert.is(answer.status, 200, answer.text);
  return cookieIn(answer);
}

/** On a device with PINs, and with calls of its page. */
const locked = each<[TestDevice, ReturnType<typeof page>]>(http, (run) => async () => {
  await using device = await startTestDevice();
  await setPins(device);
  await run(device, page(device.recognition));
});

it('without a PIN no sign-in is required on the machine itself', async (device) => {
  const ask = page(device.recognition);
  const { pages, ...session } = (await ask(SESSION)).body;
  assert.match(pages, /^[0-9a-f]{16}$/);
  assert.equal(session, {
    asked: false,
    role: null,
    by: null,
    till: null,
    idleSeconds: null,
    pins: false,
    codes: false,
    closed: {},
  });
  assert.is((await ask(OVERVIEW)).status, 200);
  assert.is((await ask('/console/api/pins')).status, 200);
});

http('with one a page is asked who sits there, and programs go on without', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  await setPins(device);
  const { recognition, terminal } = device;
  assert.is((await page(recognition)(SESSION)).body.asked, true);
  for (const base of [recognition, terminal]) {
    const marks: Record<string, string>[] = [
      asPage(base),
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'same-site' },
      { 'upgrade-insecure-requests': '1' },
      { referer: `${base}/` },
      { origin: base },
    ];
    for (const headers of marks) {
      assert.is((await page(base)('/v1/payments', { headers })).status, 401, JSON.stringify(headers));
      assert.is((await page(base)('/console/api/settings', { headers })).status, 401, JSON.stringify(headers));
    }
    for (const headers of [
      {},
      { 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' },
      { 'user-agent': 'Mozilla/4.0 (compatible; Win32; WinHttp.WinHttpRequest.5)' },
      { cookie: 'other=1' },
    ])
      assert.is((await page(base)('/v1/payments', { headers })).status, 200, JSON.stringify(headers));
  }
  const sale = { json: { amount: 100, purpose: 'x' }, headers: {} };
  assert.is((await program(terminal)('/showQR', sale)).status, 200);
  assert.is((await program(terminal)('/clearScreen', { method: 'POST' })).status, 200);
  const named = await program(terminal)('/v1/payments', { ...sale, headers: { 'idempotency-key': 'one' } });
  assert.ok([200, 201, 409].includes(named.status), named.text);
});

locked("the customer's screen requires no sign-in, and the page with the keypad opens to anyone", async (_, ask) => {
  for (const path of ['/', '/display', '/display/state', SESSION]) assert.is((await ask(path)).status, 200, path);
  const script = /\/console\/assets\/\w+\/console\.js/.exec((await ask('/')).text)?.[0] ?? '';
  assert.is((await ask(script)).status, 200, script);
  for (const path of [OVERVIEW, '/console/api/audit', '/health', '/v1/items', '/api/get_result'])
    assert.is((await ask(path)).status, 401, path);
});

locked('the browser asks by a dialogue where an address is opened, never for a page of ours', async (device, ask) => {
  assert.is((await ask(OVERVIEW)).headers.get('www-authenticate'), null);
  const host = `Host: ${new URL(device.recognition).host}`;
  // Node's `fetch` says of itself how it fetches
  const typed = await get(device.recognition, OVERVIEW, host, 'Sec-Fetch-Site: none', 'Sec-Fetch-Mode: navigate');
  assert.is(typed.status, 401);
  assert.match(typed.text, /www-authenticate: Basic/);
  const plain = await ask(OVERVIEW, { headers: { 'upgrade-insecure-requests': '1' } });
  assert.match(plain.headers.get('www-authenticate') ?? '', /^Basic/);
});

/** Who may do more than whom, the least first. */
const RANKS = ['till', 'supervisor', 'technician'];

for (const [rank, pin] of [
  ['till', CASHIER],
  ['supervisor', SUPERVISOR],
] as const) {
  locked(`every route opens to the session of a ${rank} or refuses it with who may`, async (device) => {
    await setPin(device.recognition, 'supervisor', SUPERVISOR);
    const cookie = await signedIn(device.recognition, { pin });
    for (const [base, roles] of [
      [device.recognition, RECOGNITION_ROLES],
      [device.terminal, TERMINAL_ROLES],
    ] as const)
      for (const [route, role] of Object.entries(roles)) {
        const [method = '', path = ''] = route.split(' ');
        if (path.endsWith('/events') || role === 'anyone') continue;
        const { status, body, text } = await page(base)(addressOf(path), { method, cookie });
        assert.is.not(status, 401, route);
        assert.not(isMissing(route, text), route);
        const isClosed = RANKS.indexOf(role) > RANKS.indexOf(rank);
        assert.is(status === 403, isClosed, `${route}: ${status}`);
        if (!isClosed) continue;
        const said =
          role === 'technician' ? /^this is the technician's: sign in as/ : /supervisor or as technician to do/;
        assert.match(body.detail ?? body.error_message ?? body.msg, said, route);
        if (body.code === 'RequestParams.Forbidden') assert.is(body.needs, role, route);
      }
  });
}

locked('a supervisor sees what the shop sets right; the trail names him, in the book of the lane', async (device) => {
  await setPin(device.recognition, 'supervisor', SUPERVISOR);
  const ask = page(device.recognition);
  const cookie = await signedIn(device.recognition, { pin: SUPERVISOR });
  const { body } = await ask(SESSION, { cookie });
  assert.equal([body.role, body.by, body.idleSeconds], ['supervisor', 'pin', 12 * 3600]);
  assert.equal(Object.keys(body.closed).sort(), ['device', 'integrate', 'store', 'welcome']);
  const put = await ask('/v1/items/4011', { method: 'PUT', json: { name: 'Bananas' }, cookie });
  assert.is(put.status, 201, put.text);
  const lines = await auditOf(device);
  const [line] = lines.filter(({ deed }: { deed: string }) => deed === 'item-put');
  assert.equal([line.credential, line.signedInBy, line.outcome], ['supervisor', 'pin', 'done']);
  const books = (book: string) =>
    readdirSync(join(device.dataDir, 'audit'))
      .filter((name) => name.startsWith(book) && name.endsWith('.jsonl'))
      .map((name) => readFileSync(join(device.dataDir, 'audit', name), 'utf8'))
      .join('');
  assert.match(books('lane'), 'item-put');
  assert.not.match(books('technician'), 'item-put');
});

http('the technician does everything with a PIN, a token, and the configuration’s token', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: TOKEN });
  const ask = page(device.recognition);
  const made = (await program(device.recognition)('/console/api/tokens/technician', { method: 'PUT', json: {} })).body
    .token;
  await setPins(device);
  for (const [secret, by] of [
    [{ pin: TECHNICIAN }, 'pin'],
    [{ token: made }, 'token'],
    [{ token: TOKEN }, 'token'],
  ] as const) {
    const cookie = await signedIn(device.recognition, secret);
    const { body } = await ask(SESSION, { cookie });
    assert.equal([body.role, body.by, body.idleSeconds], ['technician', by, 1800]);
    assert.is((await ask('/console/api/audit', { cookie })).status, 200);
    assert.is((await ask('/api/set_result_count', { cookie, json: { count: 3 } })).body.code, 0);
  }
});

http('the session of a named till reaches what that till reaches', async () => {
  const token = 'made-up-token-of-the-kiosk';
  await using device = await startTestDevice({
    LANEWARE_API_TILLS: JSON.stringify([{ name: 'kiosk', token }]),
  });
  await setPins(device);
  const answer = await page(device.recognition)(SESSION, { json: { token } });
  assert.equal([answer.status, answer.body.role, answer.body.till], [200, 'cashier', 'kiosk']);
  const cookie = cookieIn(answer);
  assert.is((await page(device.recognition)(OVERVIEW, { cookie })).status, 200);
  assert.is((await page(device.recognition)('/console/api/audit', { cookie })).status, 403);
});

it('an unknown token signs no one in; a call with neither or both is refused, naming both', async (device) => {
  await setPins(device);
  for (const [json, field] of [
    [{}, 'pin'],
    [{ pin: CASHIER, token: 'nobody-has-this-token' }, 'token'],
  ] as const) {
    const { status, body } = await page(device.recognition)(SESSION, { json });
    assert.equal([status, body.code, body.field], [400, 'RequestParams.InvalidField', field]);
    assert.match(body.detail, /either pin or token/);
  }
  const answer = await page(device.recognition)(SESSION, { json: { token: 'nobody-has-this-token' } });
  assert.equal([answer.status, answer.body.code], [403, 'SignIn.WrongToken']);
});

locked('a session is a secret of 256 bits that no script reads and no other site has sent', async (device) => {
  const answer = await page(device.recognition)(SESSION, { json: { pin: CASHIER } });
  const cookie = answer.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^laneware-[0-9a-f]+=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert.not.match(answer.text, cookieIn(answer).split('=')[1] ?? '');
  const other = cookieIn(await page(device.recognition)(SESSION, { json: { pin: CASHIER } }));
  assert.is.not(other, cookieIn(answer));
  for (const name of ['sessions.json', 'pins.json']) {
    const kept = readFileSync(join(device.dataDir, name), 'utf8');
    assert.not.match(kept, cookieIn(answer).split('=')[1] ?? '');
    assert.not.match(kept, CASHIER);
  }
});

locked('a change is taken from a page of the device alone', async ({ recognition }) => {
  const cookie = await signedIn(recognition, { pin: TECHNICIAN });
  const set = (headers: Record<string, string>) =>
    page(recognition)('/api/set_result_count', { json: { count: 3 }, cookie, headers });
  for (const headers of [asPage(recognition), { origin: recognition }, { 'sec-fetch-site': 'same-origin' }])
    assert.is((await set(headers)).status, 200, JSON.stringify(headers));
  const refused: Record<string, string>[] = [
    {},
    { origin: 'null' },
    { origin: 'http://evil.example' },
    { origin: 'http://127.0.0.1:9' },
    { origin: 'http://localhost:9', 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'none' },
    { origin: recognition, 'sec-fetch-site': 'cross-site' },
    { referer: `${recognition}/` },
  ];
  for (const headers of refused) assert.is((await set(headers)).status, 403, JSON.stringify(headers));
  for (const path of [SESSION, '/console/api/pins/cashier'])
    assert.is((await page(recognition)(path, { method: 'DELETE', cookie, headers: {} })).status, 403, path);
  assert.is((await page(recognition)(SESSION, { cookie })).body.role, 'technician', 'no one was signed out');
});

locked('signed out is signed out', async (device, ask) => {
  const cookie = await signedIn(device.recognition, { pin: CASHIER });
  const out = await ask(SESSION, { method: 'DELETE', cookie });
  assert.equal(out.body, { was: 'cashier' });
  assert.match(out.headers.get('set-cookie') ?? '', /Max-Age=0/);
  assert.is((await ask(OVERVIEW, { cookie })).status, 401);
  assert.equal((await ask(SESSION, { method: 'DELETE', cookie })).body, { was: null });
});

locked('another sign-in at the same browser ends the one before', async (device, ask) => {
  const cashier = await signedIn(device.recognition, { pin: CASHIER });
  const technician = cookieIn(await ask(SESSION, { json: { pin: TECHNICIAN }, cookie: cashier }));
  assert.is((await ask(SESSION, { cookie: technician })).body.role, 'technician');
  assert.is((await ask(SESSION, { cookie: cashier })).body.role, null);
});

locked('another PIN, and none, end the sessions of the one before, and no others', async (device, ask) => {
  const cashier = await signedIn(device.recognition, { pin: CASHIER });
  const technician = await signedIn(device.recognition, { pin: TECHNICIAN });
  const set = await ask('/console/api/pins/cashier', { method: 'PUT', json: { pin: '9163' }, cookie: technician });
  assert.is(set.status, 200);
  assert.is((await ask(OVERVIEW, { cookie: cashier })).status, 401);
  assert.is((await ask(OVERVIEW, { cookie: technician })).status, 200);
  const next = await signedIn(device.recognition, { pin: '9163' });
  await ask('/console/api/pins/cashier', { method: 'DELETE', cookie: technician });
  assert.is((await ask(OVERVIEW, { cookie: next })).status, 401);
});

it('the token that is taken back, or made anew, ends its sessions', async (device) => {
  const setToken = (method: string, json?: object) =>
    program(device.recognition)('/console/api/tokens/technician', { method, ...(json && { json }) });
  await setPins(device);
  const ask = page(device.recognition);
  for (const [method, json] of [['PUT', {}], ['DELETE']] as const) {
    const { token } = (await setToken('PUT', {})).body;
    const cookie = await signedIn(device.recognition, { token });
    assert.is((await ask(OVERVIEW, { cookie })).status, 200);
    const stream = await follow(`${device.recognition}${OVERVIEW}/events`, { ...asPage(device.recognition), cookie });
    await setToken(method, json);
    assert.is((await ask(OVERVIEW, { cookie })).status, 401, method);
    await stream.ended;
  }
});

it('a stream ends with the session, and with the first PIN', async (device) => {
  const { recognition } = device;
  const mark = { 'sec-fetch-site': 'same-origin' };
  const open = await follow(`${recognition}${OVERVIEW}/events`, mark);
  const customer = await follow(`${recognition}/display/events`, {});
  await setPins(device);
  await open.ended; // of a page that required no sign-in
  const cashier = await signedIn(recognition, { pin: CASHIER });
  const technician = await signedIn(recognition, { pin: TECHNICIAN });
  const streams = [
    await follow(`${recognition}${OVERVIEW}/events`, { ...mark, cookie: cashier }),
    await follow(`${recognition}/v1/events`, { ...mark, cookie: cashier }),
  ];
  await page(recognition)(SESSION, { method: 'DELETE', cookie: technician });
  await page(recognition)(SESSION, { method: 'DELETE', cookie: cashier });
  for (const { ended } of streams) await ended;
  const last = await follow(`${recognition}${OVERVIEW}/events`, {
    ...mark,
    cookie: await signedIn(recognition, { pin: TECHNICIAN }),
  });
  for (const person of ['cashier', 'technician'])
    await program(recognition)(`/console/api/pins/${person}`, { method: 'DELETE' });
  await last.ended; // of a person whose PIN is gone, where no sign-in is required
  assert.is(customer.hasEnded, false, 'the customer still sees');
});

http('a wrong PIN costs a pause, returned in seconds, and locks no owner of a token out', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: TOKEN });
  await setPins(device);
  const ask = page(device.recognition);
  const send = (json: object) => ask(SESSION, { json });
  for (let pin = 5031; pin < 5036; pin++) {
    const { status, body } = await send({ pin: String(pin) });
    assert.equal([status, body.code, body.field], [403, 'SignIn.WrongPin', 'pin']);
  }
  const late = await send({ pin: '5040' });
  assert.equal(
    { status: late.status, code: late.body.code, seconds: late.body.seconds },
    { status: 429, code: 'SignIn.TooManyTries', seconds: 1 },
  );
  assert.is(late.headers.get('retry-after'), '1');
  assert.is((await send({ pin: TECHNICIAN })).status, 429, 'a right one is not looked at either');
  assert.is((await send({ token: TOKEN })).status, 200);
});

locked('PINs that are sent all at once are no more guesses than one after the other', async (_, ask) => {
  const all = await Promise.all(
    Array.from({ length: 30 }, (_, at) => ask(SESSION, { json: { pin: String(5031 + at) } })),
  );
  assert.is(all.filter(({ status }) => status === 403).length, 5);
  assert.is(all.filter(({ status }) => status === 429).length, 25);
});

const PROXIED = { 'x-forwarded-for': '203.0.113.9' };

http('wrong PINs behind a proxy of this machine keep no one waiting at the screen', async () => {
  await using device = await startTestDevice({ LANEWARE_API_TOKEN: TOKEN });
  await setPins(device);
  const send = async (json: object, headers: Record<string, string> = {}) =>
    (await page(device.recognition)(SESSION, { json, headers })).status;
  for (let n = 0; n < 5; n++) assert.is(await send({ pin: String(5031 + n) }, PROXIED), 403);
  assert.is(await send({ pin: TECHNICIAN }, PROXIED), 429);
  assert.is(await send({ pin: TECHNICIAN }, { via: '1.1 shop' }), 429, 'with any header of the proxy');
  assert.is(await send({ token: TOKEN }, PROXIED), 200, 'a token is no guess');
  assert.is(await send({ pin: TECHNICIAN }), 200);
});

it('what is no PIN, or too easy a one, is not taken', async (device) => {
  const set = (role: string, pin: unknown) =>
    program(device.recognition)(`/console/api/pins/${role}`, { method: 'PUT', json: { pin } });
  for (const pin of ['123', '12345678901', 'abcd', '12 4', '١٢٣٤', 7391, '', null])
    assert.equal([(await set('technician', pin)).body.code, pin], ['RequestParams.InvalidField', pin]);
  assert.is((await set('technician', '1234')).body.code, 'SignIn.EasyPin');
  assert.is((await set('cashier', CASHIER)).body.code, 'SignIn.TechnicianFirst');
  assert.is((await set('technician', TECHNICIAN)).status, 200);
  assert.is((await set('cashier', TECHNICIAN)).body.code, 'SignIn.PinInUse');
  assert.is((await set('cashier', CASHIER)).status, 200);
  const remove = async (person: string) =>
    (await program(device.recognition)(`/console/api/pins/${person}`, { method: 'DELETE' })).body.code;
  assert.is(await remove('technician'), 'SignIn.TechnicianFirst');
  assert.is((await set('supervisor', SUPERVISOR)).status, 200);
  assert.is(await remove('cashier'), undefined);
  assert.is(
    await remove('technician'),
    'SignIn.TechnicianFirst',
    'the pages would be locked, with no one to open them',
  );
  assert.is(await remove('supervisor'), undefined);
  assert.is(await remove('technician'), undefined);
  assert.is((await set('unknown', '7391')).status, 400);
});

locked('a technician, and no cashier, lists and ends sessions, which the trail records', async (device, ask) => {
  const cookie = await signedIn(device.recognition, { pin: TECHNICIAN });
  const cashier = await signedIn(device.recognition, { pin: CASHIER });
  const { sessions } = (await ask('/console/api/sessions', { cookie })).body;
  assert.equal(
    sessions.map(({ id: _, ...session }: { id: string }) => session),
    ['cashier', 'technician'].map((role) => ({
      ...{ role, by: 'pin', till: null, from: '', idleSeconds: 0, own: role === 'technician' },
    })),
  );
  const [{ id }] = sessions;
  for (const method of ['GET', 'DELETE']) {
    const path = method === 'GET' ? '/console/api/sessions' : `/console/api/sessions/${id}`;
    assert.is((await ask(path, { method, cookie: cashier })).body.code, 'RequestParams.Forbidden');
  }
  const end = () => ask(`/console/api/sessions/${id}`, { method: 'DELETE', cookie });
  for (const which of ['it ends', 'it has ended'])
    assert.equal(pick((await end()).body.sessions, 'role'), ['technician'], which);
  assert.is((await ask(SESSION, { cookie: cashier })).body.role, null);
  const { lines } = (await ask('/console/api/audit', { cookie })).body;
  const [again, first] = lines.filter(({ deed }: { deed: string }) => deed === 'session-ended');
  assert.equal([first.what, again.what], [{ person: 'cashier', from: '' }, {}]);
  assert.is(first.credential, 'technician');
});

locked('the trail records who has done it, and never with which PIN', async (device, ask) => {
  const cookie = await signedIn(device.recognition, { pin: TECHNICIAN });
  await ask('/api/set_result_count', { cookie, json: { count: 2 } });
  await ask(SESSION, { json: { pin: '5031' } });
  await ask(SESSION, { method: 'DELETE', cookie });
  const lines = await auditOf(device);
  const recorded = lines.map(({ deed, credential, signedInBy, what, outcome }: Record<string, unknown>) => [
    deed,
    credential,
    signedInBy,
    what,
    outcome,
  ]);
  const unsigned = ['loopback', undefined];
  assert.equal(recorded.slice(0, 6), [
    ['signed-out', 'technician', 'pin', { was: 'technician' }, 'done'],
    ['call', ...unsigned, { call: `POST ${SESSION}` }, 'refused'],
    ['result-count-set', 'technician', 'pin', { count: 2 }, 'done'],
    ['signed-in', ...unsigned, { role: 'technician', by: 'pin', till: null }, 'done'],
    ['pin-set', ...unsigned, { person: 'cashier' }, 'done'],
    ['pin-set', ...unsigned, { person: 'technician' }, 'done'],
  ]);
  for (const pin of [TECHNICIAN, CASHIER, '5031']) assert.not.match(JSON.stringify(recorded), pin);
});

http('a restart of the device signs no one out, and its PINs stay', async () => {
  using folder = temporaryFolder();
  let cookie = '';
  {
    await using device = await startTestDevice({}, folder.path);
    await setPins(device);
    cookie = await signedIn(device.recognition, { pin: CASHIER });
  }
  await using device = await startTestDevice({}, folder.path);
  assert.is((await page(device.recognition)(SESSION, { cookie })).body.role, 'cashier');
  assert.is((await page(device.recognition)(OVERVIEW)).status, 401);
});

http('with its key gone the device shuts no one out: the PINs are reported as lost, and set anew', async () => {
  using folder = temporaryFolder();
  let cookie = '';
  {
    await using device = await startTestDevice({}, folder.path);
    await setPins(device);
    cookie = await signedIn(device.recognition, { pin: TECHNICIAN });
  }
  for (const name of ['secret.key', 'secret.key.copy']) rmSync(join(folder.path, name));
  await using device = await startTestDevice({}, folder.path);
  assert.is((await page(device.recognition)(OVERVIEW)).status, 200);
  assert.match((await call(`${device.recognition}/health`)).text, /The PINs are lost/);
  await setPins(device);
  assert.not.match((await call(`${device.recognition}/health`)).text, /The PINs are lost/);
  assert.is((await page(device.recognition)(OVERVIEW, { cookie })).status, 401, 'the session of before is none');
  await signedIn(device.recognition, { pin: CASHIER });
});

http.run();
