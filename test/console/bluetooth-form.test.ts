/** A display over Bluetooth, found, chosen and kept on the page, on a real bus; what prevents a search is shown. */
import * as assert from 'uvu/assert';
import { SimulatedDisplay } from '../../drivers/display/wire/simulator-device.ts';
import { FakeBluez } from '../drivers/display/bluez.ts';
import { atEnd, call, setUp, startTestDevice, until } from '../support.ts';
import { englishIn, findNothing, inConsole } from './audit.ts';
import { keyboard } from './hands.ts';
import { browserSuite, button, REFUSED } from './support.ts';

const { test, browsing } = browserSuite('a display found over Bluetooth in Chromium');

const NAMELESS = { LANEWARE_SERIAL: '104' };

test('a display is found, chosen by keys and seen; then off, forbidden and absent are shown', async () => {
  const display = new SimulatedDisplay();
  const bluez = new FakeBluez(display);
  process.env.DBUS_SYSTEM_BUS_ADDRESS = bluez.busAddress;
  await bluez.start();
  await using _end = atEnd(() => bluez.close());
  await using device = await startTestDevice(NAMELESS);
  await setUp(device);
  await using page = await browsing.open(`${device.recognition}/#/welcome/display`, {}, REFUSED);
  const { press } = keyboard(page);
  await page.getByLabel('Display type').selectOption('BLE');
  await press(button(page, 'Search for displays'));
  await page.getByText('Searching for a few seconds').waitFor();
  const found = button(page, new RegExp(bluez.address));
  await found.waitFor();
  assert.match(await found.innerText(), `${bluez.name} (${bluez.address}, -54 dBm)`);
  assert.not(bluez.scanning, 'the scan has ended');
  await findNothing(page, 'found', null);
  await press(found);
  assert.is(await page.locator('#field-deviceAddress').inputValue(), bluez.address);
  await press(button(page, 'Save'));
  await page.locator('#display .soft', { hasText: 'Bluetooth' }).waitFor();
  const { settings } = (await call(`${device.recognition}/console/api/settings`)).body;
  assert.equal(settings.deviceConnection, { connectionType: 'BLE', deviceAddress: bluez.address });
  await until('it is connected', () => bluez.connected);
  await until('a test picture is seen', async () => {
    if (await button(page, 'Show a test picture').isEnabled()) await press(button(page, 'Show a test picture'));
    const { picture } = display;
    return picture.kind === 'qr' && picture.payload === 'LANEWARE TEST';
  });

  await inConsole(page)('ru');
  const names = new Set(await englishIn(page));
  const look = button(page, 'Найти дисплеи');
  for (const [fault, words] of [
    [() => Object.assign(bluez.faults, { poweredOff: true }), 'выключен'],
    [
      () => Object.assign(bluez.faults, { poweredOff: false, refusedScan: 'org.bluez.Error.NotPermitted' }),
      'нельзя пользоваться',
    ],
    [() => bluez.stopService(), 'Служба Bluetooth'],
  ] as const) {
    await fault();
    await look.click();
    await page.locator('#display .outcome.failed', { hasText: words }).waitFor();
    // commands are what they are
    const isCommand = (text: string) => /systemctl|rfkill|bluetooth/.test(text);
    await findNothing(page, words, null, (problem) => names.has(problem) || isCommand(problem));
  }
});

test.run();
