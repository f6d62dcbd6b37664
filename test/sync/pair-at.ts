/** Makes a device a slave of a master, by the calls that a technician types: both are whole devices, here or as processes. */
import { call, until } from '../support.ts';

/** @param master base address of its recognition; so is `slave` */
export async function pairAt(master: string, slave: string): Promise<void> {
  const pairingCode = await until('a pairing code', async () => {
    const { body } = await call(`${master}/api/get_sync_pairing_code`, { json: {} });
    return body.data?.pairingCode;
  });
  const { mastersyncPort } = (await call(`${master}/api/get_device_info`)).body.data;
  const asked = { masterIP: '127.0.0.1', mastersyncPort, upload: true, download: true, pairingCode };
  // a message server that starts is not there for a moment
  await until('the slave is paired', async () => {
    const { body } = await call(`${slave}/api/set_sync_slave`, { json: asked });
    return body.code === 0;
  });
}
