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

/** Runs with a device beside the banks of the tests; its `sandbox` is their address. */
export async function withBanks(
  run: (device: TestDevice) => Promise<void>,
  environment: Parameters<typeof startTestDevice>[0] = {},
): Promise<void> {
  using folder = temporaryFolder();
  const bank = await startBanks({ port: 0, dataFile: join(folder.path, 'bank.db') });
  try {
    await using device = await startTestDevice(environment);
    await run({ ...device, sandbox: bank.url });
  } finally {
    await bank.close();
  }
}

/** Runs with a device that is set up with T-Bank. */
export const withTBank = (run: (device: TestDevice) => Promise<void>): Promise<void> =>
  withBanks(
    async (device) => {
      const json = { settings: tbankSettings(device.sandbox) };
      const { status, text } = await call(`${device.terminal}/updateDriverSettings`, { json });
      if (status !== 200) throw new Error(`the device could not be set up with T-Bank: ${text}`);
      await run(device);
    },
    { LANEWARE_SANDBOXBANK_ENABLED: 'false' },
  );
