/**
 * Tries a release before a device is updated to it: one whole sale and one recognition, with a simulated bank, display and
 * tray in this process. It reads no data of the shop, and uses no port of the device.
 */
import { existsSync } from 'node:fs';
import Type, { type Static, type TSchema } from 'typebox';
import { MemoryWire } from '../../../drivers/display/wire/memory-wire.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { pause } from '../../../drivers/lib/async.ts';
import { fits } from '../../core/schema/index.ts';
import { type Device, loadConfig, openLog, startDevice } from '../../device/index.ts';
import { shippedModel } from '../../recognition/index.ts';

/** Time limit of a wait or a call: many times what a slow board needs. */
const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;
const AMOUNT = 12_300;
const ITEM = 'trial';
const MOST_SHOWN = 200;

const SETTINGS = {
  bankProfile: 'trial',
  bankProfiles: { trial: { bankName: 'Sandbox' } },
  deviceConnection: { connectionType: 'Serial', portName: '/dev/ttyTRIAL' },
};

const Sale = Type.Object({ id: Type.String(), state: Type.String(), payload: Type.String() });
const AtBank = Type.Array(Type.Object({ qrcId: Type.String(), link: Type.String() }));
const Look = Type.Object({ candidates: Type.Array(Type.Object({ id: Type.String() })) });
const Refusal = Type.Object({ code: Type.String() });

/** The message says what this release cannot do. */
export class TrialFailure extends Error {}

export interface TrialOptions {
  /** An empty folder; the caller removes it. */
  readonly folder: string;
  /** Called before each step: the last line of a killed process names the step. */
  readonly say: (step: string) => void;
  /** The model's manifest. */
  readonly model?: string;
  readonly patienceMs?: number;
}

interface Tried extends Required<TrialOptions> {
  readonly display: SimulatedDisplay;
  readonly urls: Device['urls'];
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly body?: object;
}

async function send(url: string, patienceMs: number, { method = 'GET', body }: Call): Promise<[number, unknown]> {
  const answer = await fetch(url, {
    method,
    signal: AbortSignal.timeout(patienceMs),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      'idempotency-key': 'trial',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
  });
  return [answer.status, await answer.json()];
}

/** @param action what the call does, as in "it cannot …" @throws {TrialFailure} */
async function ask<Schema extends TSchema>(
  action: string,
  schema: Schema,
  { patienceMs }: Tried,
  url: string,
  call: Call = {},
): Promise<Static<Schema>> {
  const [status, body] = await send(url, patienceMs, call);
  if (status < 300 && fits(schema, body)) return body;
  throw new TrialFailure(`it cannot ${action}: HTTP ${status} ${JSON.stringify(body).slice(0, MOST_SHOWN)}`);
}

/** @param failure message where the condition does not come true @throws {TrialFailure} */
async function until(failure: string, { patienceMs }: Tried, check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await check())) {
    if (performance.now() > end) throw new TrialFailure(failure);
    await pause(LOOK_AGAIN_MS);
  }
}

/** Makes the sale. @returns the id of the payment @throws {TrialFailure} */
async function sell(tried: Tried): Promise<string> {
  const { display, urls, say } = tried;
  say('setting up a bank and a display');
  const settings = { method: 'POST', body: { settings: SETTINGS } } as const;
  await ask('be set up', Type.Object({}), tried, `${urls.terminal}/updateDriverSettings`, settings);
  say('asking for a payment');
  const order = { method: 'POST', body: { amount: AMOUNT, purpose: 'trial' } } as const;
  const { id, payload } = await ask('ask for a payment', Sale, tried, `${urls.terminal}/v1/payments`, order);
  const { picture } = display;
  if (picture.kind !== 'qr' || picture.payload !== payload)
    throw new TrialFailure('it sends no code of a payment to the display');
  say('paying at the bank');
  const bank = `${urls.sandbox}/sandbox/payments`;
  const qrcId = (await ask('ask the bank', AtBank, tried, bank)).find(({ link }) => link === payload)?.qrcId;
  if (qrcId === undefined) throw new TrialFailure('it shows a code that the bank does not know');
  await ask('be paid', Type.Object({}), tried, `${bank}/${qrcId}/pay`, { method: 'POST', body: {} });
  say('waiting for the payment to be accepted');
  await until('it does not take a payment that the bank has accepted', tried, () => isAccepted(tried, id));
  say('waiting for the symbol on the display');
  await until('it shows no success on the display', tried, () => display.picture.kind === 'status');
  return id;
}

async function isAccepted(tried: Tried, id: string): Promise<boolean> {
  const { state } = await ask('read a payment', Sale, tried, `${tried.urls.terminal}/v1/payments/${id}`);
  return state === 'ACCEPTED';
}

/** Looks at the tray; where the release has no model, recognition must say so. @throws {TrialFailure} */
async function look(tried: Tried): Promise<void> {
  const { urls, model, patienceMs, say } = tried;
  say('learning an item');
  const learn = () => send(`${urls.recognition}/v1/items/${ITEM}/templates`, patienceMs, { method: 'POST', body: {} });
  if (!existsSync(model)) {
    const [status, body] = await learn();
    if (status === 503 && fits(Refusal, body) && body.code === 'Model.NotReady') return;
    throw new TrialFailure(`it does not say that it has no model: HTTP ${status}`);
  }
  await until('it learns no item', tried, async () => (await learn())[0] === 201);
  say('looking at the tray');
  const { candidates } = await ask('look at the tray', Look, tried, `${urls.recognition}/v1/recognition`);
  if (candidates[0]?.id !== ITEM) throw new TrialFailure('it does not recognise an item that it has just learned');
}

const configOf = ({ folder, model }: Required<TrialOptions>) =>
  loadConfig(null, {
    LANEWARE_DATADIR: folder,
    LANEWARE_LOG_LEVEL: 'silent',
    LANEWARE_TERMINAL_PORT: '0',
    LANEWARE_RECOGNITION_PORT: '0',
    LANEWARE_SANDBOXBANK_PORT: '0',
    LANEWARE_SANDBOXBANK_ENABLED: 'true',
    LANEWARE_CAMERA_DRIVER: 'replay',
    LANEWARE_MODEL_MANIFEST: model,
  }).config;

/** @throws {TrialFailure} @throws where the device does not start at all */
export async function runTrial(asked: TrialOptions): Promise<void> {
  const options = { model: shippedModel(), patienceMs: PATIENCE_MS, ...asked };
  const display = new SimulatedDisplay();
  const wire = new MemoryWire(display);
  const config = configOf(options);
  const withDevice = async <T>(step: string, work: (tried: Tried) => Promise<T>): Promise<T> => {
    options.say(step);
    const device = await startDevice(config, openLog(config.log.level), {
      openDisplay: ({ type }, displayOptions) => wire.open(type, displayOptions),
    });
    try {
      return await work({ ...options, display, urls: device.urls });
    } finally {
      await device.close();
    }
  };
  const id = await withDevice('starting', async (tried) => {
    const sold = await sell(tried);
    await look(tried);
    return sold;
  });
  await withDevice('reading the payment after a restart', async (tried) => {
    if (!(await isAccepted(tried, id))) throw new TrialFailure('it forgets that a payment was accepted');
  });
}
