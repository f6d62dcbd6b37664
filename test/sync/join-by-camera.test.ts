/** A device joins the store of a master whose QR code its camera sees; a round at once, with its outcome: faults first. */
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { pairingText, readPairingText, seenCode } from '../../firmware/sync/pairing-code.ts';
import { freePort } from '../ports.ts';
import { call, startTestDevice, type TestDevice, until } from '../support.ts';
import { WITHOUT_SERVER } from './abandoned-server.ts';

const test = suite('joining a store by the camera');
const CODE = 'ABCD-EFGH-JKMN-PQRS-TVWX';

const show = async ({ recognition }: TestDevice, svg: string) => {
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 92 }).toBuffer();
  const headers = { 'content-type': 'image/jpeg' };
  await call(`${recognition}/camera/frame`, { method: 'PUT', headers, body: new Uint8Array(jpeg) });
};
const frame = (things: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720"><rect width="1280" height="720" fill="#777"/>${things}</svg>`;
/** As a phone held before the camera shows it. */
const held = ({ size, path }: { size: number; path: string }) =>
  frame(
    `<g transform="translate(420 100) rotate(6) scale(${460 / size})"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}"/></g>`,
  );
const post = ({ recognition }: TestDevice, path: string, json: object = {}) => call(`${recognition}${path}`, { json });
const pairingCode = async (device: TestDevice) =>
  await until('the server of the store runs', async () => (await post(device, '/api/get_sync_pairing_code')).body.data);

async function master(): Promise<TestDevice> {
  const settings = {
    ...{ LANEWARE_SYNC_HOST: '127.0.0.1', LANEWARE_SYNC_PORT: String(await freePort()) },
    LANEWARE_SERIAL: 'LANE-10',
  };
  const device = await startTestDevice(settings, undefined, WITHOUT_SERVER);
  await post(device, '/api/set_sync_master', { upload: true, download: true });
  return device;
}
const slave = () => startTestDevice({ LANEWARE_SERIAL: 'LANE-11', LANEWARE_CAMERA_DRIVER: 'push' });

test('only what a master says is read: no code of goods, no link, no port that is none', () => {
  const text = pairingText(CODE, { host: '192.168.0.7', port: 7443 });
  assert.equal(readPairingText(text)?.master, { host: '192.168.0.7', port: 7443 });
  assert.equal(readPairingText(pairingText(CODE, { host: 'fe80::1', port: 1 }))?.master, { host: 'fe80::1', port: 1 });
  for (const wrong of [
    '4006381333931',
    `https://example.org/#${text}`,
    text.replace('7443', '70000'),
    text.replace('7443', '0'),
    text.replace('ABCD', 'AB'),
    `${text} more`,
    text.replace('192.168.0.7', 'a b'),
  ])
    assert.is(readPairingText(wrong), null, wrong);
});

test('it looks until one is seen, the caller goes, or the time is over', async () => {
  const text = pairingText(CODE, { host: 'm', port: 1 });
  const looks = [[], ['4011'], ['4011', text]];
  assert.is((await seenCode(async () => looks.shift() ?? [], new AbortController().signal))?.master.host, 'm');
  assert.is(looks.length, 0);
  assert.is(await seenCode(async () => [], new AbortController().signal, 1), null);
  assert.is(await seenCode(async () => [text], AbortSignal.abort()), null, 'the search was aborted');
  const going = new AbortController();
  const leaving = async () => {
    going.abort();
    return [text];
  };
  assert.is(await seenCode(leaving, going.signal), null, 'nor of one who goes while it looks');
});

test('the code on the master’s page, shown to the camera, pairs; a press alone asks for it', async () => {
  await using one = await master();
  await using two = await slave();
  const { qr } = await pairingCode(one);
  await show(two, held(qr));
  await call(`${two.recognition}/v1/recognition`);
  const role = async () => (await call(`${two.recognition}/api/get_sync_status`)).body.data.role;
  assert.is(await role(), 'standalone', 'a code that lies there does nothing by itself');
  const { status, body, text } = await post(two, '/console/api/store/join');
  assert.is(status, 200, text);
  assert.is(body.master, 'LANE-10');
  assert.match(body.address, /^127\.0\.0\.1:\d+$/);
  assert.is(await role(), 'slave');
  const round = await post(two, '/console/api/store/rounds');
  assert.equal([round.status, round.body], [200, { sent: 0, received: 0, deleted: 0, left: 0, templates: 0 }]);
  assert.is((await post(one, '/console/api/store/rounds')).status, 200);
  assert.is((await post(two, '/console/api/store/join')).status, 200, 'again, as of a lost answer');
});

test('another device’s code, or a lost master, is refused, and nothing has changed', async () => {
  const one = await master();
  await using two = await slave();
  const { qr } = await pairingCode(one);
  await one[Symbol.asyncDispose]();
  await show(two, held(qr));
  const gone = await post(two, '/console/api/store/join');
  assert.equal([gone.status, gone.body.code], [503, 'Store.Unreachable']);
  const { role } = (await call(`${two.recognition}/api/get_sync_status`)).body.data;
  assert.is(role, 'standalone');
  const alone = await post(two, '/console/api/store/rounds');
  assert.equal([alone.status, alone.body.code], [409, 'Store.NotSynchronised']);
});

test('nothing before the camera: reported after the time of a look, not as success', async () => {
  await using two = await slave();
  await show(two, frame(''));
  const { status, body } = await post(two, '/console/api/store/join');
  assert.equal([status, body.code], [409, 'Store.NoCode']);
});

test.run();
