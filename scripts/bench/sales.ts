/** Makes sales at a simulated bank, as a till and a customer would. */
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './firmware.ts';

export const PROFILE = { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' };

/** Makes a device sell with the first of these profiles. */
export const sellWith = (
  url: string,
  bankProfiles: Readonly<Record<string, object>> = { p: PROFILE },
  deviceConnection: object = { connectionType: 'Screen' },
): Promise<void> =>
  post(`${url}/updateDriverSettings`, {
    settings: { bankProfile: Object.keys(bankProfiles)[0], bankProfiles, deviceConnection },
  });

/**
 * Pays or declines the newest payment as a customer would, and asks until it has ended, so that no payment is open for
 * the next call. @returns the number of the till's questions
 */
export async function settle(
  bankUrl: string,
  url: string,
  { by = 'pay', askEveryMs = 10 }: { readonly by?: 'pay' | 'decline'; readonly askEveryMs?: number } = {},
): Promise<number> {
  const [newest] = (await (await fetch(`${bankUrl}/sandbox/payments`)).json()) as { qrcId: string }[];
  await post(`${bankUrl}/sandbox/payments/${newest?.qrcId}/${by}`, null);
  let questions = 0;
  for (let state = 'PENDING'; state === 'PENDING'; questions += 1) {
    await pause(askEveryMs);
    state = ((await (await fetch(`${url}/getDynamicQRStatus`)).json()) as { dynamicQRStatus: string }).dynamicQRStatus;
  }
  return questions;
}
