/** Sales at a bank that is played, as a till and a customer make them. */
import { setTimeout as pause } from 'node:timers/promises';
import { post } from './firmware.ts';

export const PROFILE = { bankName: 'CFT', accAlias: 'a', extEntityId: 'e', merchantId: 'm', password: 'made-up' };

/** Has a device sell with the first of these profiles. */
export const sellWith = (
  url: string,
  bankProfiles: Readonly<Record<string, object>> = { p: PROFILE },
  deviceConnection: object = { connectionType: 'Screen' },
): Promise<void> =>
  post(`${url}/updateDriverSettings`, {
    settings: { bankProfile: Object.keys(bankProfiles)[0], bankProfiles, deviceConnection },
  });

/** Ends the newest payment as a customer would, until the till has read so: the next call finds nothing open, as it does at a till. @returns how often the till asked */
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
