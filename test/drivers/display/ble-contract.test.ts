/** The contract over Bluetooth LE: a real D-Bus, with a fake BlueZ and the simulated display behind it. */
import { openDisplay } from '../../../drivers/display/registry.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { renderPng } from '../../../drivers/display/wire/simulator-png.ts';
import { FakeBluez } from './bluez.ts';
import { contractSuite, type Rig } from './contract-suite.ts';
import { drawnBy, QUICK } from './support.ts';

async function bleRig(): Promise<Rig> {
  const device = new SimulatedDisplay();
  const bluez = new FakeBluez(device);
  await bluez.start();
  return {
    open: (options) =>
      openDisplay({ type: 'ble', address: bluez.address, name: null }, options, { ...QUICK, settleMs: 0 }),
    far: { picture: () => device.picture, render: () => renderPng(device.picture), drawn: () => drawnBy(device) },
    close: () => bluez.close(),
  };
}

contractSuite('display contract: BLE, D-Bus', bleRig);
