/** Every call driven wrongly: the envelope, the HTTP status and the code are right, and nothing has changed. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json as jsonOf } from 'node:stream/consumers';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { NoCamera } from '../../drivers/camera/frame-slot.ts';
import { memberOf } from '../../drivers/lib/strict-json.ts';
import { call, each } from '../support.ts';
import { NUMBERS } from './numbers.ts';
import { onRig, picture, startRig } from './support.ts';

const wrong = suite('wrong calls');
const it = each(wrong, onRig);

const POSTS: Readonly<Record<string, object>> = {
  add_item_template: { id: '1' },
  get_item_template_list: { id: '1' },
  get_template_image: { id: '1', sid: '1' },
  delete_item_template: { id: '1', sid: '1' },
  delete_item: { id: '1' },
  export_template: { ids: ['1'] },
  set_deletion_all_flag: { id: '1' },
  clear_deletion_all_flag: { id: '1' },
  feedback: { session: 'x', id: '1' },
  get_rank_statistics: { id: '1' },
  set_predict_speed: { speed: 'fast' },
  set_learning_mode: { mode: 1 },
  set_result_count: { count: 3 },
  set_calib: { top: 0, left: 0, height: 100, width: 100 },
  set_time: { sec: 1_894_000_000, usec: 0 },
};
const BARE_POSTS = ['clear_all_template', 'learn_background'];
const GETS = [
  'get_item_list',
  'export_template_status',
  'import_template_status',
  'get_deletion_all_progress',
  'get_result',
  'get_image',
  'get_device_info',
  'get_learning_mode',
  'get_calib',
];
const OPTIONAL_BODY = new Set(['export_template', 'get_rank_statistics']);

interface Seen {
  readonly status: number;
  readonly code: unknown;
  readonly msg: string;
}

async function send(url: string, init: RequestInit): Promise<Seen> {
  const response = await fetch(url, init);
  const text = await response.text();
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/, `${url}: ${text}`);
  const body = JSON.parse(text);
  if (body.code !== 0) {
    assert.type(body.msg, 'string', text);
    assert.ok(body.msg.length > 0 && body.data === null, text);
  }
  return { status: response.status, code: body.code, msg: body.msg ?? '' };
}

const json = (body: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

async function expect(url: string, init: RequestInit, status: number, code: number, what = ''): Promise<string> {
  const seen = await send(url, init);
  assert.equal([seen.status, seen.code], [status, code], `${url} ${what}: ${seen.msg}`);
  return seen.msg;
}

const rig = await startRig();
const { url } = rig;
wrong.after(async () => rig[Symbol.asyncDispose]());
const state = async () => [(await rig.get('/api/get_item_list')).body, (await rig.get('/api/get_device_info')).body];
let before: unknown;
wrong.before(async () => {
  await rig.learn('kept', await picture(1));
  before = await state();
});

/** What leaves the device as it is: it has one template. */
const harmless = (what: string, work: () => Promise<void>) =>
  wrong(what, async () => {
    await work();
    assert.equal(await state(), before);
  });

harmless('no JSON is 400 with -6200, for any fault in it', async () => {
  const texts = [
    '{',
    '{"id":"1"',
    "{'id':'1'}",
    '{"id":"1"} x',
    '\ufeff{',
    'undefined',
    '['.repeat(100) + ']'.repeat(100),
  ];
  for (const path of Object.keys(POSTS)) {
    for (const text of texts) await expect(`${url}/api/${path}`, json(text), 400, NUMBERS['JsonParse.*'], text);
    const bytes = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
    await expect(`${url}/api/${path}`, { ...json(''), body: bytes }, 400, NUMBERS['JsonParse.*'], 'no UTF-8');
    if (!OPTIONAL_BODY.has(path)) await expect(`${url}/api/${path}`, json(''), 400, NUMBERS['JsonParse.*'], 'empty');
  }
});

harmless('JSON of another shape is 400 with -6213', async () => {
  for (const path of Object.keys(POSTS)) {
    for (const text of ['null', '[]', '"text"', '5', 'true', '[{"id":"1"}]'])
      await expect(`${url}/api/${path}`, json(text), 400, NUMBERS['RequestParams.InvalidField'], text);
  }
});

harmless('a field that is missing or of another type is named, and nothing is coerced', async () => {
  for (const [path, body] of Object.entries(POSTS)) {
    const target = `${url}/api/${path}`;
    for (const [field, value] of Object.entries(body)) {
      const others = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      if (!OPTIONAL_BODY.has(path)) {
        const msg = await expect(
          target,
          json(JSON.stringify(others)),
          400,
          NUMBERS['RequestParams.InvalidField'],
          `without ${field}`,
        );
        assert.match(msg, new RegExp(field));
      }
      const nullable = OPTIONAL_BODY.has(path) || (path === 'feedback' && field === 'id');
      const values = [
        5,
        5.5,
        true,
        {},
        [],
        '',
        ...(nullable ? [] : [null]),
        ...(typeof value === 'number' ? ['1'] : []),
      ];
      for (const bad of values.filter((each) => typeof each !== typeof value || each === '' || each === 5.5)) {
        if (path === 'set_calib' && typeof bad === 'number') continue;
        const text = JSON.stringify({ ...body, [field]: bad });
        const msg = await expect(target, json(text), 400, NUMBERS['RequestParams.InvalidField'], text);
        assert.match(msg, new RegExp(field), text);
      }
    }
  }
});

it('a field that is unknown does no harm', async (rig) => {
  await rig.learn('1', await picture(1));
  for (const [path, body] of Object.entries(POSTS)) {
    for (const more of ['"surprise":1', '"__proto__":{"id":"1"}']) {
      const text = `{${more},${JSON.stringify(body).slice(1)}`;
      assert.is((await send(`${rig.url}/api/${path}`, json(text))).status, 200, text);
    }
  }
});

harmless('an id has 1 to 64 characters, none of them a control character or half a one', async () => {
  const bad = [
    '',
    'x'.repeat(65),
    '😀'.repeat(65),
    'a\u0000b',
    'tab\t',
    'line\n',
    '\u007f',
    '\u0085',
    '\ud800',
    'a\udc00',
  ];
  for (const path of ['add_item_template', 'get_item_template_list', 'delete_item', 'set_deletion_all_flag']) {
    for (const id of bad)
      await expect(
        `${url}/api/${path}`,
        json(JSON.stringify({ id })),
        400,
        NUMBERS['RequestParams.InvalidField'],
        JSON.stringify(id),
      );
  }
  for (const id of bad) {
    const ids = JSON.stringify({ ids: ['kept', id] });
    assert.match(
      await expect(`${url}/api/export_template`, json(ids), 400, NUMBERS['RequestParams.InvalidField'], ids),
      /ids\.1/,
    );
  }
  for (const id of ['x'.repeat(64), '😀'.repeat(64)])
    await expect(`${url}/api/delete_item`, json(JSON.stringify({ id })), 200, NUMBERS['Templates.NoItem']);
});

/** As it is written: `fetch` would take the dots for steps of the path. */
async function sendRaw(method: string, path: string): Promise<[number | undefined, unknown]> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path, method, headers: { 'content-type': 'application/json' } });
  sent.end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return [answer.statusCode, memberOf(await jsonOf(answer), 'field')];
}

harmless('an item gets no id that no address can hold, by whatever call', async () => {
  for (const id of ['.', '..']) {
    const own = [
      ['add_item_template', { id }],
      ['feedback', { session: 'x', id }],
    ] as const;
    for (const [path, body] of own) {
      const refused = await expect(
        `${url}/api/${path}`,
        json(JSON.stringify(body)),
        400,
        NUMBERS['RequestParams.InvalidField'],
        path,
      );
      assert.is(
        refused,
        'id must hold whole characters, none of them a control character, and not be a blank, . or ..',
      );
    }
    const escaped = id.replaceAll('.', '%2e');
    assert.equal(await sendRaw('PUT', `/v1/items/${escaped}`), [400, 'id']);
    assert.equal(await sendRaw('POST', `/v1/items/${escaped}/templates`), [400, 'id']);
    const said = await call(`${url}/v1/recognition/x/feedback`, { json: { item: id } });
    assert.equal([said.status, said.body.field], [400, 'item']);
    const assigned = await call(`${url}/console/api/recognition/uncertain/assignments`, {
      json: { item: id, answers: ['1'] },
    });
    assert.equal([assigned.status, assigned.body.field], [400, 'item'], assigned.text);
  }
});

harmless('values out of their range are refused', async () => {
  const area = { top: 0, left: 0, height: 100, width: 100 };
  const cases: readonly [string, object][] = [
    ['set_predict_speed', { speed: 'slow' }],
    ['set_learning_mode', { mode: 3 }],
    ['set_learning_mode', { mode: -1 }],
    ['set_result_count', { count: 0 }],
    ['set_result_count', { count: 11 }],
    ['set_calib', { ...area, top: -1 }],
    ['set_calib', { ...area, left: 1281 }],
    ['set_calib', { ...area, left: 1200 }],
    ['set_calib', { ...area, top: 700 }],
    ['set_calib', { ...area, width: 1 }],
    ['set_calib', { ...area, height: 0 }],
    ['set_time', { sec: 0, usec: 0 }],
    ['set_time', { sec: 1_894_000_000, usec: 1_000_000 }],
    ['set_time', { sec: 9_999_999_999, usec: 0 }],
    ['export_template', { ids: [] }],
    ['get_rank_statistics', { from: 'yesterday' }],
    ['feedback', { session: '', id: null }],
  ];
  for (const [path, body] of cases) {
    const text = JSON.stringify(body);
    await expect(`${url}/api/${path}`, json(text), 400, NUMBERS['RequestParams.InvalidField'], text);
  }
});

harmless('an unknown path is 404 with -6117, a wrong method 405', async () => {
  for (const path of ['/', '/api', '/api/', '/api/nothing', '/api/get_item', '/apiget_item_list', '/download'])
    await expect(url + path, {}, 404, NUMBERS['RequestParams.UnknownPath'], path);
  for (const path of [...Object.keys(POSTS), ...BARE_POSTS, 'import_template']) {
    await expect(`${url}/api/${path}`, {}, 405, NUMBERS['RequestParams.UnknownPath'], path);
    await expect(`${url}/api/${path}`, { method: 'DELETE' }, 405, NUMBERS['RequestParams.UnknownPath'], path);
  }
  for (const path of GETS)
    await expect(`${url}/api/${path}`, json('{}'), 405, NUMBERS['RequestParams.UnknownPath'], path);
  await expect(`${url}/camera/frame`, {}, 405, NUMBERS['RequestParams.UnknownPath']);
});

harmless('a page of a stranger is 403 with -6306', async () => {
  for (const origin of ['http://evil.example', 'null']) {
    const init = { ...json('{"id":"kept"}'), headers: { 'content-type': 'application/json', origin } };
    await expect(`${url}/api/delete_item`, init, 403, NUMBERS['RequestParams.NotAuthorised'], origin);
  }
});

it('a pushed frame is judged by size, by type, and by being decoded; the frame before it stays', async (rig) => {
  const good = await picture(1);
  const put = (body: Buffer, type: string | null = 'image/jpeg'): RequestInit => ({
    method: 'PUT',
    body: new Uint8Array(body),
    ...(type === null ? {} : { headers: { 'content-type': type } }),
  });
  const target = `${rig.url}/camera/frame`;
  await expect(target, put(good), 200, 0);
  const kept = Buffer.from(await (await fetch(`${rig.url}/api/get_image`)).arrayBuffer());
  await expect(
    target,
    put(Buffer.concat([good, Buffer.alloc(8 * 1024 * 1024)])),
    413,
    NUMBERS['RequestParams.InvalidField'],
    'large',
  );
  await expect(target, put(Buffer.from('not a picture')), 415, NUMBERS['RequestParams.InvalidField'], 'text');
  await expect(target, put(Buffer.from('89504e470d0a1a0a', 'hex')), 415, NUMBERS['RequestParams.InvalidField'], 'PNG');
  await expect(target, put(good, 'image/png'), 415, NUMBERS['RequestParams.InvalidField'], 'type of PNG');
  await expect(target, put(good, 'application/json'), 415, NUMBERS['RequestParams.InvalidField'], 'type of JSON');
  await expect(target, put(good, null), 415, NUMBERS['RequestParams.InvalidField'], 'no type');
  await expect(target, put(good.subarray(0, good.length / 2)), 422, NUMBERS['Camera.NoPicture'], 'half');
  await expect(
    target,
    put(Buffer.from('ffd8ffe000104a464946', 'hex')),
    422,
    NUMBERS['Camera.NoPicture'],
    'header only',
  );
  await expect(target, put(Buffer.alloc(0)), 415, NUMBERS['RequestParams.InvalidField'], 'empty');
  assert.equal(Buffer.from(await (await fetch(`${rig.url}/api/get_image`)).arrayBuffer()), kept);
});

wrong('a frame cannot be pushed where another camera is configured', async () => {
  await using rig = await startRig({ service: { camera: new NoCamera() } });
  const { status, body } = await rig.show(await picture(1));
  assert.equal([status, body.code], [200, NUMBERS['RequestParams.UnknownPath']]);
  assert.match(body.msg, /camera\.driver/);
});

wrong.run();
