/** T-Bank's interface, which can cancel and give back, and takes the same refund twice for two. */
import { join } from 'node:path';
import { startBanks } from '../banks/banks.ts';
import { TBANK_PASSWORD } from '../banks/tbank.ts';
import { call, SCREEN, startTestDevice, type TestDevice, temporaryFolder } from '../support.ts';

/** Settings with it. @param bank address of the banks */
export const tbankSettings = (bank: string) => ({
  bankProfile: 'main',
  bankProfiles: {
    main: { bankName: 'Tinkoff', terminalKey: 'LANEWARE', password: TBANK_PASSWORD, baseUrl: `${bank}/tbank/v2` },
  },
  deviceConnection: SCREEN,
});

/** Runs with a device that is set up with it; `sandbox` is where the bank answers. */
export async function withTBank(run: (device: TestDevice) => Promise<void>): Promise<void> {
  using folder = temporaryFolder();
  const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
  try {
    await using device = await startTestDevice({ LANEWARE_SANDBOXBANK_ENABLED: 'false' });
    const json = { settings: tbankSettings(bank.url) };
    const { status, text } = await call(`${device.terminal}/updateDriverSettings`, { json });
    if (status !== 200) throw new Error(`the device could not be set up with T-Bank: ${text}`);
    await run({ ...device, sandbox: bank.url });
  } finally {
    await bank.close();
  }
}
