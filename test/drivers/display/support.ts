import jsQR from 'jsqr';
import sharp from 'sharp';
import { CLEAR, type Display, DisplayError, type Picture } from '../../../drivers/display/contract.ts';
import { draw, type SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import type { WireTuning } from '../../../drivers/display/wire/wire-display.ts';
import { failed, until } from '../../support.ts';

export { until };

/** Short waits between attempts, so that a test of a hundred lost links takes seconds. */
export const QUICK: Partial<WireTuning> = Object.freeze({ backoffMinMs: 10, backoffMaxMs: 40 });

export const ready = (display: Display) => until('the display is ready', () => display.state.name === 'ready');

/** The failure of a call that must fail. */
export const failure = (work: Promise<unknown>) => failed(DisplayError, work);

/** What a QR reader that is not ours reads from a picture; null when it finds no code. */
export async function readQr(png: Buffer): Promise<string | null> {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const code = jsQR.default(new Uint8ClampedArray(data), info.width, info.height);
  return code === null ? null : Buffer.from(code.binaryData).toString('utf8');
}

export const qr = (payload: string): Picture => ({ kind: 'qr', payload });

const LINK = 'https://qr.nspk.ru/AD10004MV5CJ3D638358RO81129CE63P?type=02&bank=100000000004&sum=30510&cur=RUB&crc=B754';

/** Payloads that must reach the customer as they are, by their length in bytes of UTF-8. */
export const PAYLOADS: readonly string[] = [
  '7',
  'https://nspk.ru/7',
  LINK.padEnd(106, '#'),
  `${LINK}&x=`.padEnd(300, 'aB3'),
  'https://example.org/?q='.padEnd(1000, '0aZ-'),
  'Оплата заказа № 42, спасибо за покупку',
  'Кофе ☕ и круассан 🥐 — 350 ₽ 🇷🇺👍🏽',
  'ж'.repeat(500),
];

/** The codes and symbols that a simulated display drew over its last connection, without the wiping between them. */
export function drawnBy(device: SimulatedDisplay): readonly Picture[] {
  const frames = device.connections.at(-1)?.frames ?? [];
  return frames.map((frame) => draw(CLEAR, frame)).filter((picture) => picture.kind !== 'clear');
}
