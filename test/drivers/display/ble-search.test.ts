/** Displays that are looked for over Bluetooth, on a real bus: who is readDevice, what keeps one from listening, and that it always ends. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { BleSearchError, searchDisplays } from '../../../drivers/display/wire/ble-search.ts';
import { SimulatedDisplay } from '../../../drivers/display/wire/simulator-device.ts';
import { atEnd } from '../../support.ts';
import { FakeBluez } from './bluez.ts';

const QUICK = { listenMs: 300, callLimitMs: 500 };

async function withBluez(work: (bluez: FakeBluez) => Promise<void>): Promise<void> {
  const bluez = new FakeBluez(new SimulatedDisplay());
  await bluez.start();
  await using _end = atEnd(() => bluez.close());
  await work(bluez);
}

async function codeOfSearch(): Promise<string> {
  try {
    await searchDisplays(QUICK);
  } catch (error) {
    if (error instanceof BleSearchError) return error.code;
    throw error;
  }
  return 'found';
}

const test = suite('displays looked for over Bluetooth');

test('devices in reach are listed by address, name and strength; the scan ends, the bus is left', () =>
  withBluez(async (bluez) => {
    const clients = await bluez.busClients();
    assert.equal(await searchDisplays(QUICK), [{ address: bluez.address, name: bluez.name, signal: -54 }]);
    assert.not(bluez.scanning);
    await bluez.untilBusClients(clients);
  }));

test('nothing in reach is an empty list', () =>
  withBluez(async (bluez) => {
    bluez.faults.hidden = true;
    assert.equal(await searchDisplays(QUICK), []);
    assert.not(bluez.scanning);
  }));

test('what BlueZ only remembers is left out; what is connected is silent, and is listed', () =>
  withBluez(async (bluez) => {
    bluez.rssi = null;
    assert.equal(await searchDisplays(QUICK), []);
    await bluez.connect();
    assert.equal(await searchDisplays(QUICK), [{ address: bluez.address, name: bluez.name, signal: null }]);
  }));

test('Bluetooth that is switched off, or not ready', () =>
  withBluez(async (bluez) => {
    bluez.faults.poweredOff = true;
    assert.is(await codeOfSearch(), 'switched-off');
    bluez.faults.poweredOff = false;
    bluez.faults.refusedScan = 'org.bluez.Error.NotReady';
    assert.is(await codeOfSearch(), 'switched-off');
  }));

test('a process that may not ask', () =>
  withBluez(async (bluez) => {
    for (const name of ['org.freedesktop.DBus.Error.AccessDenied', 'org.bluez.Error.NotPermitted']) {
      bluez.faults.refusedScan = name;
      assert.is(await codeOfSearch(), 'permission');
    }
  }));

test('no BlueZ, and no bus', () =>
  withBluez(async (bluez) => {
    await bluez.stopService();
    assert.is(await codeOfSearch(), 'no-service');
    await bluez.stopDaemon();
    assert.is(await codeOfSearch(), 'no-service');
  }));

test('a service that hangs at any call, or a silent bus, ends the search, not the process', () =>
  withBluez(async (bluez) => {
    bluez.faults.hanging.add('scan');
    assert.is(await codeOfSearch(), 'failed');
    assert.ok(bluez.hung > 0);
    bluez.freezeDaemon();
    assert.is(await codeOfSearch(), 'failed');
    bluez.thawDaemon();
  }));

test('a bus that dies while it is listened', () =>
  withBluez(async (bluez) => {
    const searching = codeOfSearch();
    const looking = setInterval(() => {
      if (!bluez.scanning) return;
      clearInterval(looking);
      void bluez.stopDaemon();
    }, 2);
    assert.match(await searching, /no-service|failed/);
  }));

test.run();
