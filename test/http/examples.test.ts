/**
 * Every example of the OpenAPI documents, that of the console's calls included, is sent to a running device, and its answer is held against the document. What a
 * call needs before (a payment, a template) stands in `PREPARED` by the call's operationId, or by its method and path where only the console calls it.
 */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PAYMENT_EXAMPLE } from '../../firmware/payments/http/v1/payment-schemas.ts';
import { freePort } from '../ports.ts';
import { SHIPPED_MANIFEST } from '../recognition/fixtures/models.ts';
import { NUMBERS } from '../recognition/numbers.ts';
import { picture, scene } from '../recognition/support.ts';
import { call, setUp, startTestDevice, type TestDevice, until } from '../support.ts';
import { DESCRIBED } from './described.ts';
import { type ApiDocument, type Call, callsOf, examplesOf, type Json, type JsonObject, misfits } from './documents.ts';

const test = suite('http: examples of the OpenAPI documents');

/** What takes the place of an example's own values: ids are known to the device that runs. */
interface Prepared {
  readonly path?: JsonObject;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the example that are replaced; null sends none of it. */
  readonly body?: JsonObject;
  /** In place of JSON. */
  readonly raw?: Uint8Array<ArrayBuffer> | FormData;
}
type Prepare = (device: TestDevice) => Promise<Prepared>;

const ITEM = '4011';
/** No two sales are the same; the sandbox bank reads the kopecks of an amount as a script. */
let sales = 0;

/** A payment that the customer can see. */
async function shownPayment({ terminal }: TestDevice): Promise<JsonObject> {
  sales += 1;
  const shown = await call(`${terminal}/showQR`, { json: { amount: 10_000 + 100 * sales, purpose: `Sale ${sales}` } });
  assert.is(shown.status, 200, shown.text);
  return (await call(`${terminal}/v1/payments`)).body.payments[0];
}

async function pay({ sandbox }: TestDevice): Promise<void> {
  const [{ qrcId }] = (await call(`${sandbox}/sandbox/payments`)).body;
  await call(`${sandbox}/sandbox/payments/${qrcId}/pay`, { method: 'POST' });
}

async function paidPayment(device: TestDevice): Promise<JsonObject> {
  const { id } = await shownPayment(device);
  await pay(device);
  return await until('the payment', async () => {
    const { body } = await call(`${device.terminal}/v1/payments/${id}`);
    return body.state === 'ACCEPTED' && body;
  });
}

/** One whose bank gives money back; it stays set up. */
async function refundablePayment(device: TestDevice): Promise<JsonObject> {
  await setUp(device);
  return await paidPayment(device);
}

/** One that was paid after its code had been taken away. */
async function latePayment(device: TestDevice): Promise<JsonObject> {
  const { id } = await shownPayment(device);
  await call(`${device.recognition}/console/api/sandbox/payments/${id}`, { json: { does: 'late' } });
  return await until('the late payment', async () => {
    const { body } = await call(`${device.terminal}/v1/payments/${id}`);
    return body.late && body;
  });
}

const byId =
  (make: (device: TestDevice) => Promise<JsonObject>): Prepare =>
  async (device) => ({ path: { id: (await make(device)).id ?? '' } });

async function show({ recognition }: TestDevice, jpeg: Buffer): Promise<void> {
  const body = new Uint8Array(jpeg);
  await call(`${recognition}/camera/frame`, { method: 'PUT', headers: { 'content-type': 'image/jpeg' }, body });
}

async function template(device: TestDevice): Promise<string> {
  await show(device, await picture(1));
  const { body } = await call(`${device.recognition}/api/add_item_template`, { json: { id: ITEM } });
  assert.is(body.code, 0, body.msg);
  return body.data.sid;
}
const byItem =
  (withPicture: boolean): Prepare =>
  async ({ recognition }) => {
    await call(`${recognition}/v1/items/${ITEM}`, { json: { name: 'Bananas' }, method: 'PUT' });
    if (withPicture)
      await call(`${recognition}/v1/items/${ITEM}/picture`, {
        method: 'PUT',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(await picture(1)),
      });
    return { path: { id: ITEM } };
  };

const byTemplate: Prepare = async (device) => ({ body: { sid: await template(device) } });

const ofTemplate: Prepare = async (device) => ({ path: { id: ITEM, template: await template(device) } });

const seen: Prepare = async (device) => {
  await template(device);
  return {};
};

/** What was not taught is asked about. */
async function uncertain(device: TestDevice): Promise<string> {
  await show(device, await picture(7));
  return await until('an uncertain answer', async () => {
    await call(`${device.recognition}/v1/recognition`);
    return (await call(`${device.recognition}/console/api/recognition/uncertain`)).body.answers[0]?.id;
  });
}

/** An import that a former example has begun is over. */
const noImport: Prepare = async ({ recognition }) => {
  await until('the import', async () => {
    const { body } = await call(`${recognition}/v1/packages/import`);
    return !['running', 'checking'].includes(body.state);
  });
  return {};
};

async function exported(device: TestDevice): Promise<string> {
  await noImport(device);
  await template(device);
  await call(`${device.recognition}/api/export_template`, { json: {} });
  return await until('the package', async () => {
    const { body } = await call(`${device.recognition}/api/export_template_status`);
    return body.status === 3 && body.filename;
  });
}

const withPackage: Prepare = async (device) => {
  const file = await fetch(`${device.recognition}/download/${await exported(device)}`);
  const form = new FormData();
  form.append('file', await file.blob(), 'package.zip');
  return { raw: form };
};

const byRefund =
  (refundId: string): Prepare =>
  async (device) => {
    const { id = '' } = await refundablePayment(device);
    const refund = await call(`${device.terminal}/v1/payments/${id}/refunds`, { json: { amount: 100, id: refundId } });
    assert.is(refund.status, 200, refund.text);
    return { path: { id, refundId } };
  };

const keyOf = ({ operationId, named }: Call): string => operationId ?? named;

const PREPARED: Readonly<Record<string, Prepare>> = {
  'GET /console/api/journal': async () => ({ query: { from: '2026-11-01', to: '2026-11-30' } }),
  'GET /console/api/self-test/reports/{number}': async () => ({ path: { number: '1' } }),
  'POST /console/api/self-test': async (device) => {
    await shownPayment(device);
    return {};
  },
  'POST /console/api/payments/{id}/check': byId(shownPayment),
  'GET /console/api/recognition/ranks': async () => ({ query: { days: '90' } }),
  exportToCSV: async ({ dataDir }) => ({ body: { path: join(dataDir, 'payments.csv') } }),
  getDynamicQRStatus: async (device) => {
    await shownPayment(device);
    return {};
  },
  'POST /console/api/sandbox/payments/{id}': async (device) => {
    await setUp(device);
    const { id = '' } = await shownPayment(device);
    return { path: { id: String(id) } };
  },
  'GET /console/api/calls/{n}': async ({ terminal, recognition }) => {
    await call(`${terminal}/version`);
    const { calls } = await until('a call is there', async () => {
      const { body } = await call(`${recognition}/console/api/calls`);
      return body.last > 0 && body;
    });
    return { path: { n: String(calls[0].n) } };
  },
  closeShift: async () => ({ headers: { 'idempotency-key': 'evening-17' } }),
  getShift: async () => ({ path: { shift: 'current' } }),
  createPayment: async () => ({ headers: { 'idempotency-key': 'sale-17' } }),
  getPayment: byId(paidPayment),
  refundPayment: byId(refundablePayment),
  listRefunds: byId(paidPayment),
  getRefund: byRefund('followed'),
  decideRefund: byRefund('decided'),
  cancelPayment: byId(shownPayment),
  redeliver: async () => ({ path: { id: '17' } }),
  testWebhook: async () => ({ path: { id: '9b1c04d2e7f8' } }),
  acknowledgePayment: byId(latePayment),
  setReceipt: byId(paidPayment),
  showReceiptCode: byId(paidPayment),
  hideReceiptCode: byId(paidPayment),
  acknowledgeLatePayment: async (device) => ({ body: { orderId: (await latePayment(device)).id ?? '' } }),

  sayAgain: async (device) => {
    await call(`${device.recognition}/v1/voice`, { method: 'PATCH', json: { mode: 'sum' } });
    await paidPayment(device);
    return {};
  },
  'GET /console/api/voice/sound': async ({ recognition }) => {
    await call(`${recognition}/v1/voice/try`, { json: {} });
    return {};
  },

  readPrintedCode: async ({ recognition }) => {
    await call(`${recognition}/console/api/printed-codes`, { method: 'PUT', json: { layouts: ['21IIIIIWWWWWC'] } });
    return { path: { code: '2104011012347' } };
  },
  getItem: byItem(false),
  changeItem: byItem(false),
  putItem: byItem(false),
  removeItem: byItem(false),
  'PUT /console/api/tokens/{role}': async () => ({ path: { role: 'till' } }),
  'DELETE /console/api/tokens/{role}': async () => ({ path: { role: 'till' } }),
  'PUT /console/api/pins/{person}': async () => ({ path: { person: 'technician' } }),
  'DELETE /console/api/pins/{person}': async () => ({ path: { person: 'cashier' } }),
  'DELETE /console/api/sessions/{id}': async () => ({ path: { id: 'a'.repeat(64) } }),
  'POST /console/api/session': async ({ recognition }) => {
    const body = JSON.stringify({ pin: '7391' });
    const headers = { 'content-type': 'application/json' };
    await call(`${recognition}/console/api/pins/technician`, { method: 'PUT', headers, body });
    return {};
  },
  getItemPicture: byItem(true),
  learnTemplate: async (device) => {
    await template(device);
    return { path: { id: ITEM } };
  },
  listTemplates: async () => ({ path: { id: ITEM } }),
  getContradictionPicture: async () => ({ path: { id: '17' } }),
  getTemplatePicture: ofTemplate,
  forgetTemplate: ofTemplate,
  checkItems: async () => ({
    headers: { 'content-type': 'text/csv' },
    raw: new TextEncoder().encode('id,name\n4011,Bananas\n'),
  }),
  'POST /console/api/deletions': async (device) => ({ body: { item: ITEM, template: await template(device) } }),
  'GET /console/api/recognition/uncertain/{id}/picture': async (device) => ({ path: { id: await uncertain(device) } }),
  'POST /console/api/recognition/uncertain/assignments': async (device) => ({
    body: { item: ITEM, answers: [await uncertain(device)] },
  }),
  'DELETE /console/api/recognition/uncertain/assignments/{id}': async (device) => {
    // what was assigned before
    const { assignments } = (await call(`${device.recognition}/console/api/recognition/uncertain`)).body;
    return { path: { id: assignments[0].id } };
  },
  'DELETE /console/api/deletions/{id}': async (device) => {
    await byItem(false)(device);
    return {
      path: { id: (await call(`${device.recognition}/console/api/deletions`, { json: { item: ITEM } })).body.id },
    };
  },
  putItemPicture: async (device) => ({
    ...(await byItem(false)(device)),
    headers: { 'content-type': 'image/jpeg' },
    raw: new Uint8Array(await picture(1)),
  }),

  getTemplateImage: byTemplate,
  deleteItemTemplate: byTemplate,
  addItemTemplate: seen,
  getResult: seen,
  getImage: seen,
  getRecognition: seen,
  confirmItem: async (device) => {
    await template(device);
    return { path: { id: (await call(`${device.recognition}/v1/recognition`)).body.id } };
  },
  takeItemBack: async (device) => ({ path: { id: (await call(`${device.recognition}/v1/recognition`)).body.id } }),
  learnBackground: async (device) => {
    await show(device, await scene(null));
    return {};
  },
  giveFeedback: async (device) => {
    await template(device);
    return { body: { session: (await call(`${device.recognition}/api/get_result`)).body.data.session } };
  },
  putFrame: async () => ({ headers: { 'content-type': 'image/jpeg' }, raw: new Uint8Array(await picture(1)) }),
  downloadPackage: async (device) => ({ path: { filename: await exported(device) } }),
  importTemplate: withPackage,
  exportPackage: noImport,
  getPackage: async (device) => ({ path: { filename: await exported(device) } }),
  importPackage: withPackage,
  'POST /console/api/backups/restore': async ({ recognition }) => {
    const passphrase = 'seven lamps over the counter';
    const body = JSON.stringify({ passphrase });
    const headers = { 'content-type': 'application/json' };
    const file = await fetch(`${recognition}/console/api/backups`, { method: 'POST', headers, body });
    const form = new FormData();
    form.append('passphrase', passphrase);
    form.append('file', await file.blob(), 'lane.backup');
    return { raw: form };
  },
};

/** Calls that are refused here, and why. */
const REFUSED: Readonly<Record<string, keyof typeof NUMBERS | number>> = {
  decideRefund: 409, // the bank has reported its outcome
  redeliver: 404, // no address is called with events
  testWebhook: 404, // the same
  getContradictionPicture: 404, // nobody has taken another item
  'POST /console/api/claim': 409, // no display shows a code
  'POST /console/api/claim/pin': 409, // the same
  'POST /console/api/settings/bluetooth-search': 503, // there is no bus
  createCashLink: 409, // the sandbox bank has none
  setTime: 'Device.ClockRefused', // no test sets the clock of its machine
  reboot: 'Device.NotManaged',
  factoryReset: 'Device.NotManaged',
  'PUT /console/api/network': 409, // a payment is in progress
  'POST /console/api/device/configuration': 409,
  'POST /console/api/device/update': 409,
  'POST /console/api/device/rollback': 409,
  'POST /console/api/device/reboot': 409,
  'POST /console/api/device/reset': 409,
  'POST /console/api/backups/ready': 404, // none is
  'DELETE /console/api/backups/ready': 404, // the same
  'GET /console/api/self-test/reports/{number}': 404, // none was made
  'POST /console/api/self-test': 409, // a payment is open
  startSync: 'Store.NotSynchronised', // there is no store
  'POST /console/api/store/rounds': 409, // the same
  'POST /console/api/store/join': 409, // no code lies before the camera
  'GET /console/api/camera/drawn-tray': 404, // the frames are sent
  'PUT /console/api/camera/drawn-tray': 404, // the same
  setDeletionAllFlag: 'Store.NotMaster',
  clearDeletionAllFlag: 'Store.NotMaster',
  getDeletionAllProgress: 'Store.NotMaster',
  getSyncPairingCode: 'Store.NotMaster',
  revokeSyncDevice: 'Store.NotMaster',
  'PUT /console/api/device/clock': 503, // no test sets the clock of its machine
  'PUT /console/api/store/master': 503, // no master listens there
  'POST /console/api/store/pairing-code': 409, // the device is no master
  'DELETE /console/api/store/devices/{serial}': 409,
  'GET /console/api/store/marks': 409,
  'PUT /console/api/store/marks/{item}': 409,
  'DELETE /console/api/store/marks/{item}': 409,
  'PUT /console/api/store/wipes/{id}': 409,
};

/** Of a stream that does not end by itself. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return new TextDecoder().decode(value);
}

async function send(base: string, { url, method }: Call, example: Json | undefined, prepared: Prepared) {
  const path = url.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(prepared.path?.[name])));
  const query = new URLSearchParams(prepared.query).toString();
  const json = example === undefined ? undefined : JSON.stringify({ ...(example as JsonObject), ...prepared.body });
  const body = prepared.raw ?? json ?? null;
  const headers = { ...(json !== undefined && { 'content-type': 'application/json' }), ...prepared.headers };
  return await fetch(`${base}${path}${query === '' ? '' : `?${query}`}`, {
    method: method.toUpperCase(),
    headers,
    body,
  });
}

async function judge(operation: Call, response: Response): Promise<void> {
  const { named, responses } = operation;
  const documented = responses[response.status] ?? (response.ok ? undefined : responses.default);
  if (documented === undefined) throw new Error(`${named} answered ${response.status}: ${await response.text()}`);
  const [type = ''] = (response.headers.get('content-type') ?? '').split(';');
  const media = documented.content?.[type];
  assert.ok(media !== undefined || documented.content === undefined, `${named} answered ${type}`);
  if (type === 'text/event-stream') return assert.match(await beginning(response), /^(retry|event|data|id):/);
  if (!type.endsWith('json'))
    return assert.ok((await response.arrayBuffer()).byteLength > 0 || response.status === 204, named);
  const answer = (await response.json()) as JsonObject;
  assert.is(misfits(media?.schema ?? {}, answer), '', `${named}: ${JSON.stringify(answer)}`);
  if (response.ok && media !== undefined)
    for (const example of examplesOf(media)) assert.is(unlike(example, answer), '', named);
  const refusal = REFUSED[keyOf(operation)] ?? 'ok';
  if (typeof answer.code === 'number')
    assert.is(answer.code, refusal === 'ok' ? 0 : NUMBERS[refusal as keyof typeof NUMBERS], `${named}: ${answer.msg}`);
  else assert.is(response.ok ? 'ok' : response.status, refusal, `${named}: ${JSON.stringify(answer)}`);
}

/** Eight digits and more: a till's own keys are of its own kind. */
const ID = /^(?:[a-f-]*\d){8}[\da-f-]*$/i;
const kindOf = (id: string): string => id.replaceAll(/[a-z\d]/gi, 'x');

/** Where an id of an example is of another kind than the device's own: a till would make its columns too short. */
function unlike(example: Json, answer: Json, at = ''): string {
  if (typeof example === 'string' && typeof answer === 'string')
    return ID.test(example) && kindOf(example) !== kindOf(answer) ? `${at}: ${example} beside ${answer}` : '';
  if (example === null || answer === null || typeof example !== 'object' || typeof answer !== 'object') return '';
  const own = Object.entries(answer);
  return Object.entries(example)
    .map(([name, value]) => unlike(value, own.find(([other]) => other === name)?.[1] ?? null, `${at}/${name}`))
    .filter((found) => found !== '')
    .join('; ');
}

const OWN_BUS = process.env.DBUS_SYSTEM_BUS_ADDRESS;
test.before(() => {
  process.env.DBUS_SYSTEM_BUS_ADDRESS = 'unix:path=/nonexistent/no-bus'; // with any bus of this machine
});
test.after(() => {
  if (OWN_BUS === undefined) delete process.env.DBUS_SYSTEM_BUS_ADDRESS;
  else process.env.DBUS_SYSTEM_BUS_ADDRESS = OWN_BUS;
});

test('each example is taken, and answered as the document says', async () => {
  await using device = await startTestDevice({
    LANEWARE_CAMERA_DRIVER: 'push',
    LANEWARE_MODEL_MANIFEST: SHIPPED_MANIFEST,
    LANEWARE_SYNC_HOST: '127.0.0.1',
    LANEWARE_SYNC_PORT: String(await freePort()),
  });
  await setUp(device);
  for (const [router, path] of DESCRIBED) {
    const base = device[router];
    const document: ApiDocument = (await call(`${base}${path}`)).body;
    for (const operation of callsOf(document)) {
      const media = operation.requestBody?.content['application/json'];
      for (const example of media === undefined ? [undefined] : examplesOf(media)) {
        const prepared = (await PREPARED[keyOf(operation)]?.(device)) ?? {};
        await judge(operation, await send(base, operation, example, prepared));
      }
    }
  }
});

test('the sample payment has ids as the device makes them, or tills would make columns too short', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const payment = await paidPayment(device);
  const kindOf = (id: unknown): string => String(id).replaceAll(/[A-Z0-9]/gi, 'x');
  for (const name of ['id', 'qrcId', 'trxId'] as const)
    assert.is(kindOf(payment[name]), kindOf(PAYMENT_EXAMPLE[name]), name);
});

test.run();
