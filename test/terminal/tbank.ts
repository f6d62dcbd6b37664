/** T-Bank's interface of a sandbox bank: one that can cancel and give back. */
import { TBANK_PASSWORD } from '../../firmware/sandbox-bank/dialects/tbank.ts';
import { call, SCREEN, type TestDevice } from '../support.ts';

/** Settings with it. @param sandbox address of the sandbox bank */
export const tbankSettings = (sandbox: string) => ({
  bankProfile: 'main',
  bankProfiles: {
    main: { bankName: 'Tinkoff', terminalKey: 'LANEWARE', password: TBANK_PASSWORD, baseUrl: `${sandbox}/tbank/v2` },
  },
  deviceConnection: SCREEN,
});

export async function setUpTBank({ terminal, sandbox }: Pick<TestDevice, 'terminal' | 'sandbox'>): Promise<void> {
  const json = { settings: tbankSettings(sandbox) };
  const { status, text } = await call(`${terminal}/updateDriverSettings`, { json });
  if (status !== 200) throw new Error(`the device could not be set up with T-Bank: ${text}`);
}
