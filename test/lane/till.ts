/** What a till and a scale ask of a lane: pictures before its camera, templates, payments. */
import * as assert from 'uvu/assert';
import { drawScene, SCENE_ITEMS } from '../tools/scenes/scenes.ts';
import type { Answer, Caller } from './lane.ts';

export const TERMINAL = 1234;
export const RECOGNITION = 8080;

/** Puts a picture before the camera. */
export async function show(lane: Caller, jpeg: Uint8Array): Promise<void> {
  const body = new Uint8Array(jpeg);
  const answer = await lane.get(RECOGNITION, '/camera/frame', {
    method: 'PUT',
    body,
    headers: { 'content-type': 'image/jpeg' },
  });
  assert.is(answer.status, 200, answer.text);
}

/** An emulated board may need longer for a picture than the device waits; it says so, and is asked again. */
const tooSlow = ({ code, msg }: Coded): boolean => code === -6209 || (code === -6308 && /timeout/.test(msg ?? ''));

interface Coded {
  readonly code: number;
  readonly msg?: string;
  readonly data: unknown;
}

async function asked(lane: Caller, call: () => Promise<Answer>): Promise<unknown> {
  let text = '';
  const said = (): Coded => JSON.parse(text);
  await lane.until('an answer in time', async () => {
    text = (await call()).text;
    return !tooSlow(said());
  });
  if (said().code !== 0) throw new Error(text);
  return said().data;
}

/** Adds a template of what is before the camera and returns its sid once the device has acknowledged it. */
export async function learn(lane: Caller, item: string): Promise<string> {
  const { sid } = (await asked(lane, () => lane.post(RECOGNITION, '/api/add_item_template', { id: item }))) as {
    sid: string;
  };
  return sid;
}

/** The sids of an item's templates. */
export async function learnt(lane: Caller, item: string): Promise<string[]> {
  const { text } = await lane.post(RECOGNITION, '/api/get_item_template_list', { id: item });
  const found = [...text.matchAll(/"(\d{23})"/g)].map(([, sid = '']) => sid);
  return found.sort();
}

/** What the device says the picture before its camera is. */
export const recognised = (lane: Caller): Promise<unknown> =>
  asked(lane, () => lane.get(RECOGNITION, '/api/get_result'));

export async function setUpBank(lane: Caller, bankName: 'Sandbox' | 'Static'): Promise<void> {
  const profile =
    bankName === 'Static'
      ? {
          bankName,
          staticQR:
            'https://qr.nspk.ru/AS10003P3RH0LJ2A9ROO038L6NT5RU1M?type=01&bank=000000000001&sum=10000&cur=RUB&crc=F3D0',
        }
      : { bankName };
  const settings = {
    bankProfile: 'shop',
    bankProfiles: { shop: profile },
    deviceConnection: { connectionType: 'Screen' },
  };
  const answer = await lane.post(TERMINAL, '/updateDriverSettings', { settings });
  assert.is(answer.status, 200, answer.text);
}

/** Drawn scenes: each thing that can be drawn, seen so many times. */
export async function pictures(views: number): Promise<{ thing: string; jpeg: Buffer }[]> {
  const all = [];
  for (const item of SCENE_ITEMS)
    for (let seed = 1; seed <= views; seed += 1) all.push({ thing: item, jpeg: await drawScene({ item, seed }) });
  return all;
}
