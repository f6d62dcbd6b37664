/** `lanectl dataset record` at a device of scripted answers, and what it leaves in its folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lanectl } from './lanectl.ts';
import { type Answer, answering, MARK, scripted } from './stand-in.ts';

export const CONSENT = ['--by', 'Shop 7', '--use', 'anyone, to judge models', '--licence', 'CC-BY-4.0'];
export const looksIn = (folder: string) =>
  readFileSync(join(folder, 'looks.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
export const filesOf = (folder: string): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();

const json = (body: object): Answer => answering(200, body);
export const CAMERA = json({ driver: 'made-up', learned: true });
export const HEALTH = json({ data: { version: '1.0.0', parts: [{ part: 'model', model: 'net 1.0', speed: 'fast' }] } });
export const stateOf = (number: number | null, things: number, more: object = {}) =>
  json({
    ...{ number, at: '2026-11-26T08:00:00.000Z', state: 'item', certain: true, reason: null, by: 'looks', quality: [] },
    ...{
      candidates: [{ id: '4011', name: null, similarity: 0.9 }],
      things: Array.from({ length: things }, () => ({})),
    },
    ...more,
  });
export const crop =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { ...MARK, 'content-type': 'image/jpeg' }).end(text);
export const recording = async (folder: string, more: readonly string[], ...answers: readonly Answer[]) => {
  await using device = await scripted(CAMERA, HEALTH, ...answers);
  const env = { LANEWARE_RECOGNITION_URL: device.env.LANEWARE_URL };
  const ended = await lanectl(['dataset', 'record', folder, '--item', '4011', ...more], { env });
  return { ...ended, asked: device.asked.map((one) => one.call).slice(2) };
};
