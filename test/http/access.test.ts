/** Who may call from the network: tokens, and the roles that they open. */
import { createHash } from 'node:crypto';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hiddenPages } from '../../firmware/core/http/guard/page-ranks.ts';
import { FEATURE_PAGES } from '../../firmware/features.ts';
import { type Answer, call, startTestDevice, type TestDevice } from '../support.ts';
import { addressOf, isMissing, RECOGNITION_ROLES, TERMINAL_ROLES } from './declared.ts';
import { ownAddress } from './network.ts';
import { onEachRouter } from './servers.ts';

const TILL = 'made-up-token-of-the-till';
const TECHNICIAN = 'made-up-token-of-the-technician';
const TOKENS = { LANEWARE_API_TOKENS_TILL: TILL, LANEWARE_API_TOKENS_TECHNICIAN: TECHNICIAN };

const BEFORE = 'made-up-token-of-before';
const ORIGIN = 'http://till.example';

const network = suite('http: callers from the network');
const local = suite('http: callers of this machine');

const onTheLan = (settings: Record<string, string>): Promise<TestDevice> =>
  startTestDevice({
    ...{ LANEWARE_TERMINAL_HOST: '0.0.0.0', LANEWARE_RECOGNITION_HOST: '0.0.0.0', LANEWARE_TLS_MODE: 'off' },
    ...settings,
  });

let device: TestDevice;
network.before(async () => {
  device = await onTheLan({ ...TOKENS, LANEWARE_API_TOKEN: BEFORE, LANEWARE_API_CORS: ORIGIN });
});
network.after(async () => device[Symbol.asyncDispose]());
/** Calls as a stranger does. */
function from(base: string) {
  const url = `http://${ownAddress}:${new URL(base).port}`;
  return (path: string, token: string | null = null, init: RequestInit = {}): Promise<Answer> =>
    call(url + path, {
      ...init,
      headers: { ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...init.headers },
    });
}

const sentenceOf = ({ body }: Answer): string => body.error_message ?? body.msg ?? body.detail;

/** Each route of a device, and how a stranger asks it. */
function* routesOf(device: TestDevice) {
  for (const [base, roles] of [
    [device.terminal, TERMINAL_ROLES],
    [device.recognition, RECOGNITION_ROLES],
  ] as const)
    for (const [route, role] of Object.entries(roles)) {
      const [method = '', path = ''] = route.split(' ');
      const url = addressOf(path);
      const isEndless = url.endsWith('/events');
      yield { route, role, isEndless, ask: (token: string | null = null) => from(base)(url, token, { method }) };
    }
}

/** How a caller without a token gets one. */
const OPEN_TO_ANYONE = [
  'GET /',
  'GET /claim',
  'GET /scale',
  'GET /console/assets/*',
  'POST /console/api/claim',
  'POST /console/api/claim/pin',
  'GET /console/api/session',
  'POST /console/api/session',
  'DELETE /console/api/session',
];

network('every route of both ports opens to its role, and to no other', async () => {
  for (const { route, role, isEndless, ask } of routesOf(device)) {
    const anonymous = await ask();
    if (role === 'anyone') {
      assert.ok(OPEN_TO_ANYONE.includes(route), `${route} needs no token`);
      assert.is.not(anonymous.status, 401, route);
      continue;
    }
    assert.is(anonymous.status, 401, `${route} without a token`);
    if (isEndless) continue;
    const till = await ask(TILL);
    assert.is(till.status === 403, role !== 'till', `${route} with the till's token: ${till.status}`);
    assert.is.not(till.status, 401, route);
    assert.not(isMissing(route, till.text), route);
    if (till.status === 403) assert.match(sentenceOf(till), /api\.tokens\.technician/);
  }
});

network('no spelling of a path, and no HEAD, opens it to another role', async () => {
  for (const [base, path, method] of [
    [device.terminal, '/updateDriverSettings', 'POST'],
    [device.recognition, '/api/clear_all_template', 'POST'],
    [device.recognition, '/download/none.zip', 'GET'],
    [device.recognition, '/download/none.zip', 'HEAD'],
  ] as const) {
    const ask = from(base);
    const spellings = [path.toUpperCase(), `/${path}`, `${path}/`, path.replaceAll('/', '//'), `${path}?a=/version`];
    for (const url of [...spellings, path.replace('a', '%61')]) {
      assert.is((await ask(url, TILL, { method })).status, 403, `${method} ${url}`);
      assert.is((await ask(url, null, { method })).status, 401, `${method} ${url}`);
    }
  }
});

const CHANGES_THE_DEVICE =
  /update|\/set_|delete|clear_all|_flag|import_template$|export_template$|download|reset|reboot|learn_background|start_sync|pairing|revoke|setup|audit|journal$|cash-links|\/decide$|redeliver|look-alikes$|tokens|pins|api\/sessions|backups|api\/calls|api\/log|api\/printed-codes|api\/shop|v1\/contradictions|api\/support|api\/remote|api\/device|api\/self-test|webhooks\/:id\/test$|settings\/(bank-test|certificates|bluetooth-search)$|^(PUT|PATCH|DELETE) \/(v1|console\/api)(?!\/(payments\/:id\/receipt(\/code)?$|recognition\/uncertain|recognition\/:id\/feedback$|session$|camera\/drawn-tray$))|^POST \/v1\/(catalogue(\/check)?$|packages)|^POST \/v1\/voice\/try$|^POST \/console\/api\/(deletions$|chain$|store(\/|$))|GET \/v1\/packages\/:/;
/** What a supervisor sets right in the shop: items, what was learned of them, the camera. */
const OF_SUPERVISORS =
  /^(PUT|PATCH|DELETE) \/v1\/items\/:id|^POST \/v1\/(catalogue(\/check)?|packages\/(ex|im)port)$|GET \/v1\/packages\/:|look-alikes$|\/v1\/contradictions|\/console\/api\/deletions(\/:id)?$|^PUT \/console\/api\/(camera\/|recognition\/speed$)|\/api\/(delete_item(_template)?|(ex|im)port_template|set_predict_speed|set_calib|learn_background)$|download/;
const OPEN_IN_SHOP = /^PUT \/console\/api\/camera\/drawn-tray$|^GET \/console\/api\/deletions$/;

local('what changes the device for good, or unlearns, is the technician’s or a supervisor’s', () => {
  const routes = Object.entries({ ...TERMINAL_ROLES, ...RECOGNITION_ROLES });
  const ofSupervisors = (route: string) => OF_SUPERVISORS.test(route) && !OPEN_IN_SHOP.test(route);
  const needed = (route: string) => (ofSupervisors(route) ? 'supervisor' : 'technician');
  const wrong = routes.filter(([route, role]) => CHANGES_THE_DEVICE.test(route) && role !== needed(route));
  assert.equal(wrong, []);
  const till = routes.filter(([route, role]) => !CHANGES_THE_DEVICE.test(route) && !['till', 'anyone'].includes(role));
  assert.equal(till, [], 'and nothing else is');
  assert.is(routes.filter(([, role]) => role === 'supervisor').length, 26);
});

local('a page that somebody does not see is one whose calls are closed to him', () => {
  assert.equal(Object.keys(hiddenPages('technician', FEATURE_PAGES)), []);
  const supervisor = { store: 'technician', device: 'technician', integrate: 'technician', welcome: 'technician' };
  assert.equal(hiddenPages('supervisor', FEATURE_PAGES), supervisor);
  assert.equal(hiddenPages('till', FEATURE_PAGES), {
    'payments/totals': 'supervisor',
    'payments/shifts': 'supervisor',
    'payments/reconcile': 'supervisor',
    items: 'supervisor',
    camera: 'supervisor',
    ...supervisor,
  });
});

network("the technician's token opens what the till's does not, and so does api.token", async () => {
  const ask = from(device.recognition);
  const body = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"mode":0}' };
  for (const [token, status] of [
    [TILL, 403],
    [TECHNICIAN, 200],
    [BEFORE, 200],
  ] as const)
    assert.is((await ask('/api/set_learning_mode', token, body)).status, status, token);
});

network('an unknown path is not revealed without a token', async () => {
  const ask = from(device.terminal);
  assert.is((await ask('/nowhere')).status, 401);
  assert.is((await ask('/nowhere', TILL)).status, 404);
});

network('where only networks are named, no token is asked for, and what opens is what a till does', async () => {
  await using open = await onTheLan({ LANEWARE_API_ALLOW: ownAddress });
  for (const { route, role, isEndless, ask } of routesOf(open)) {
    if (role === 'anyone' || isEndless) continue;
    const answer = await ask();
    assert.is(answer.status === 403, role !== 'till', `${route}: ${answer.status}`);
    assert.is.not(answer.status, 401, route);
    assert.not(isMissing(route, answer.text), route);
    if (answer.status === 403) assert.match(sentenceOf(answer), /api\.allow/);
  }
  const settings = await call(`${open.recognition}/console/api/calls`);
  assert.is(settings.status, 200, 'this machine may do everything');
});

network('a network that is named needs the token where there is one, and lets in no other', async () => {
  await using named = await onTheLan({ ...TOKENS, LANEWARE_API_ALLOW: ownAddress });
  assert.is((await from(named.terminal)('/version')).status, 401);
  assert.is((await from(named.terminal)('/version', TILL)).status, 200);
  await using other = await onTheLan({ ...TOKENS, LANEWARE_API_ALLOW: '203.0.113.0/24' });
  assert.is((await from(other.terminal)('/version', TECHNICIAN)).status, 403);
});

/** Whether two digests are equal at one place. */
const sha = (text: string): Buffer => createHash('sha256').update(text).digest();
function lookAlike(token: string, like: (given: Buffer, real: Buffer) => boolean): string {
  const real = sha(token);
  for (let n = 0; ; n += 1) {
    const guess = `${token}${n}`;
    if (like(sha(guess), real)) return guess;
  }
}

network('a token is compared whole: what begins, ends or looks like it opens nothing', async () => {
  const near = [
    TECHNICIAN.slice(0, -1),
    `${TECHNICIAN}x`,
    `x${TECHNICIAN.slice(1)}`,
    `${TECHNICIAN.slice(0, -1)}x`,
    TECHNICIAN.toUpperCase(),
    lookAlike(TECHNICIAN, (given, real) => given[0] === real[0]),
    lookAlike(TECHNICIAN, (given, real) => given[31] === real[31]),
    lookAlike(TECHNICIAN, (given, real) => given.readUInt16BE(0) === real.readUInt16BE(0)),
    lookAlike(TECHNICIAN, (given, real) => given.readUInt16BE(30) === real.readUInt16BE(30)),
  ];
  for (const token of near) {
    assert.is((await from(device.terminal)('/version', token)).status, 401, token);
  }
});

network('a browser may send the token as its password, with any name', async () => {
  const basic = (secret: string) => ({ headers: { authorization: `Basic ${Buffer.from(secret).toString('base64')}` } });
  const ask = from(device.recognition);
  const anonymous = await ask('/console/api/overview');
  assert.is(anonymous.status, 401);
  assert.match(anonymous.headers.get('www-authenticate') ?? '', /^Basic/);
  assert.is((await ask('/console/api/overview', null, basic(`anybody:${TECHNICIAN}`))).status, 200);
  assert.is((await ask('/console/api/overview', null, basic(TECHNICIAN))).status, 200);
  assert.is((await ask('/console/api/overview', null, basic('anybody:wrong'))).status, 401);
});

network('a token of several words, or of other letters, works as a bearer token and as a password', async () => {
  const [words, letters] = ['made up words of a token', 'выдуманный-ключ-кассы'];
  await using other = await onTheLan({ LANEWARE_API_TOKENS_TILL: words, LANEWARE_API_TOKENS_TECHNICIAN: letters });
  const ask = from(other.terminal);
  for (const token of [words, letters]) {
    const asSent = Buffer.from(token).toString('latin1');
    assert.is((await ask('/version', asSent)).status, 200, token);
    const password = Buffer.from(`anybody:${token}`).toString('base64');
    assert.is((await ask('/version', null, { headers: { authorization: `Basic ${password}` } })).status, 200, token);
    assert.is((await ask('/version', asSent.slice(0, 7))).status, 401, token);
  }
});

network('after any number of wrong tokens an address’s right one works; wrong ones are gathered', async () => {
  const ask = from(device.terminal);
  for (let n = 0; n < 40; n += 1) assert.is((await ask('/version', `wrong token ${n}`)).status, 401);
  assert.is((await ask('/version', TECHNICIAN)).status, 200);
  assert.is((await from(device.recognition)('/health', TILL)).status, 200);
  const page = (body: object) =>
    from(device.recognition)('/console/api/session', null, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        origin: `http://${ownAddress}:${new URL(device.recognition).port}`,
      },
    });
  for (let n = 0; n < 10; n += 1) assert.is((await page({ token: `wrong token ${n}` })).body.code, 'SignIn.WrongToken');
  assert.is((await page({ token: TECHNICIAN })).status, 200);
});

network('a refused caller holds no connection', async () => {
  for (const token of [null, 'wrong token']) {
    const { headers } = await from(device.terminal)('/version', token);
    assert.is(headers.get('connection'), 'close');
  }
});

network('a page whose origin may call asks first, without a token', async () => {
  const headers = { origin: ORIGIN, 'access-control-request-method': 'POST' };
  const preflight = await from(device.terminal)('/showQR', null, { method: 'OPTIONS', headers });
  assert.is(preflight.status, 204);
  assert.is(preflight.headers.get('access-control-allow-origin'), ORIGIN);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const refused = await from(device.terminal)('/showQR', null, { method: 'POST', headers: { origin: ORIGIN } });
  assert.is(refused.status, 401);
  assert.is(refused.headers.get('access-control-allow-origin'), ORIGIN, 'the page may read why');
});

let own: TestDevice;
local.before(async () => {
  own = await startTestDevice(TOKENS);
});
local.after(async () => own[Symbol.asyncDispose]());

local('what a proxy on this machine passes on comes from the network', async () => {
  for (const header of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto']) {
    const as = (authorization?: string) =>
      call(`${own.terminal}/version`, {
        headers: { [header]: 'for=203.0.113.9', ...(authorization === undefined ? {} : { authorization }) },
      });
    assert.is((await as()).status, 401, header);
    assert.is((await as(`Bearer ${TILL}`)).status, 200, header);
    const code = await call(`${own.recognition}/api/get_sync_pairing_code`, {
      method: 'POST',
      headers: { [header]: 'for=203.0.113.9', authorization: `Bearer ${TECHNICIAN}` },
    });
    assert.is(code.status, 403, 'the pairing code is shown on the device itself');
  }
});

local('a route that names no role, or changes something unaudited, is not served', () =>
  onEachRouter(
    { areDeclared: true },
    (app) => {
      const handler = async () => ({});
      assert.throws(() => app.post('/showMoney', handler), /POST \/showMoney names no role: say in `config`/);
      const config = { role: 'till' } as const;
      assert.throws(
        () => app.post('/showMoney', { config }, handler),
        /POST \/showMoney names no line of the audit trail/,
      );
      assert.throws(() => app.delete('/money', { config }, handler), /DELETE \/money names no line of the audit trail/);
      app.get('/money', { config }, handler);
      app.post('/giveMoney', { config: { ...config, audit: null } }, handler);
    },
    async () => undefined,
  ),
);

network.run();
local.run();
