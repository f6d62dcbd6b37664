/**
 * A bank, a display, a camera and a driver of the pins are one file and one line each: the test adds made-up ones to a copy of the sources in
 * just this way. It fails if anything else had to know of them.
 */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startFirmware } from './process.ts';
import { ROOT } from './root.ts';
import { call, temporaryFolder, until } from './support.ts';

const test = suite('parts that are added');

/** A bank that registers any payment, and reports it as paid at once. */
const ECHO_BANK = `
import { Type } from 'typebox';
import { bankAdapter, line, WHOLE_RANGE } from '../adapter.ts';
import { UNREPORTED } from '../bank-payment.ts';

export const ECHO = bankAdapter({
  name: 'Echo',
  aliases: ['эхо'],
  schema: Type.Object(
    { bankName: Type.Literal('Echo'), shopKey: line(1, 64, 'the shop'), whisper: line(1, 64, 'a secret') },
    { additionalProperties: false },
  ),
  distinctiveFields: ['shopKey'],
  secretFields: ['whisper'],
  capabilities: { ...WHOLE_RANGE, minAmount: 200, maxAmount: 5000, ttl: { min: 2, max: 30 } },
  merchant: ({ shopKey }) => [shopKey],
  open: () => {
    const amounts = new Map<string, number>();
    return {
      kind: 'online',
      linkRule: 'nspk',
      begin: async ({ orderId, amount }) => {
        amounts.set(orderId, amount);
        return { ref: { id: orderId }, code: { payload: 'https://echo.example/' + orderId, linkId: null, isPage: true } };
      },
      status: async ({ id }) => ({ ...UNREPORTED, verdict: 'accepted', ids: [id], amounts: [amounts.get(id) ?? 0] }),
      close: async () => undefined,
    };
  },
});
`;

/** A display that draws nothing where its place begins with "dark". */
const LAMP_DISPLAY = `
import { DisplayError } from './contract.ts';
import { ConnectionError, type DisplayDriver } from './driver.ts';
import { ScreenDisplay } from './screen.ts';

class LampDisplay extends ScreenDisplay {
  place = '';
  override async draw(picture) {
    if (this.place.startsWith('dark')) throw new DisplayError('lamp', 'lost', 'the lamp went out');
    await super.draw(picture);
  }
}

export const LAMP: DisplayDriver<{ readonly type: 'lamp'; readonly place: string }> = {
  type: 'lamp',
  name: 'Lamp',
  spellings: ['lantern'],
  fields: ['deviceName'],
  connection({ deviceName }) {
    if (!deviceName) throw new ConnectionError('deviceName', 'is required for a lamp');
    return { type: 'lamp', place: deviceName };
  },
  open({ place }, options) {
    const display = new LampDisplay(options);
    display.place = place;
    return display;
  },
};
`;

/** A camera that has one picture, of a colour that no other has: red 160, green 64, blue 16. */
const PAINTED_CAMERA = `
import sharp from 'sharp';
import { SlotCamera } from './frame-slot.ts';

export class PaintedCamera extends SlotCamera {
  readonly kind = 'painted';
  readonly streaming = false;

  constructor(options) {
    super(options, Number.POSITIVE_INFINITY);
  }

  async paint() {
    const size = { width: 640, height: 360 };
    const jpeg = await sharp({ create: { ...size, channels: 3, background: '#a04010' } }).jpeg().toBuffer();
    this.take(jpeg, size, performance.now());
    return this;
  }
}
`;

const LOUD_PINS = `
import type { Gpio } from './contract.ts';

export class LoudPins implements Gpio {
  readonly kind = 'loud';
  readonly state = { name: 'degraded', reason: 'the pins are loud' } as const;
  setLamp() {}
  setStatusLed() {}
  async close() {}
}
`;

/** Puts one line behind the one that begins so. */
function addLine(file: string, behind: string, line: string): void {
  const text = readFileSync(file, 'utf8');
  assert.is(text.split(behind).length, 2, `${file} has no place for a line behind "${behind}"`);
  writeFileSync(file, text.replace(behind, `${behind}${line}`));
}

function copyWithParts(folder: string): void {
  for (const part of ['firmware', 'drivers', 'package.json']) {
    cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  }
  for (const part of ['node_modules', 'models']) symlinkSync(join(ROOT, part), join(folder, part));
  writeFileSync(join(folder, 'firmware/banks/dialects/echo.ts'), ECHO_BANK);
  addLine(
    join(folder, 'firmware/banks/registry.ts'),
    "import { YOOKASSA } from './dialects/yookassa-adapter.ts';\n",
    "import { ECHO } from './dialects/echo.ts';\n",
  );
  addLine(join(folder, 'firmware/banks/registry.ts'), 'BANKS = [\n  STATIC,\n  CFT,\n', '  ECHO,\n');
  writeFileSync(join(folder, 'drivers/display/lamp.ts'), LAMP_DISPLAY);
  addLine(
    join(folder, 'drivers/display/registry.ts'),
    "import { SCREEN } from './screen.ts';\n",
    "import { LAMP } from './lamp.ts';\n",
  );
  addLine(join(folder, 'drivers/display/registry.ts'), 'DISPLAYS = [SERIAL, BLE, ', 'LAMP, ');
  writeFileSync(join(folder, 'drivers/camera/painted.ts'), PAINTED_CAMERA);
  addLine(
    join(folder, 'drivers/camera/registry.ts'),
    'Readonly<Record<string, OpenCamera>> = {\n',
    "  painted: async (_, options) => new (await import('./painted.ts')).PaintedCamera(options).paint(),\n",
  );
  writeFileSync(join(folder, 'drivers/gpio/loud.ts'), LOUD_PINS);
  addLine(
    join(folder, 'drivers/gpio/registry.ts'),
    'Readonly<Record<string, OpenGpio>> = {\n',
    "  loud: async (_, options) => new (await import('./loud.ts')).LoudPins(options),\n",
  );
}

test('a bank, a display, a camera and pins that are a file and a line each work whole', async () => {
  using folder = temporaryFolder();
  using data = temporaryFolder();
  copyWithParts(folder.path);
  const settings = { LANEWARE_CAMERA_DRIVER: 'painted', LANEWARE_GPIO_DRIVER: 'loud', LANEWARE_GPIO_LAMP: '17' };
  const { program, urls } = await startFirmware(data.path, { root: folder.path, settings });
  await using _program = program;
  const send = (profile: object, deviceConnection: object = { connectionType: 'LANTERN', deviceName: 'till' }) =>
    call(`${urls.terminal}/updateDriverSettings`, {
      json: { settings: { bankProfile: 'p', bankProfiles: { p: profile }, deviceConnection } },
    });

  const unnamed = await send({});
  assert.match(unnamed.text, /bankName is required: Static, CFT, Echo, .+ or Sandbox/);
  assert.match((await send({ bankName: 'Piggy' })).text, /Static, CFT, Echo, .+ are built in/);
  const gap = await send({ bankName: 'echo', shopKey: 'shop' });
  assert.is(gap.status, 400);
  assert.match(gap.text, /settings\.bankProfiles\.p\.whisper is required for a profile of Echo/);
  const profile = { bankName: 'ЭХО', shopKey: 'shop', whisper: 'made-up-whisper' };
  assert.is((await send(profile)).status, 200);
  const { body, text } = await call(`${urls.terminal}/getDriverSettings`);
  assert.equal(body.settings.bankProfiles.p, { bankName: 'Echo', shopKey: 'shop', whisper: '<PASSWORD>' });
  assert.not.ok(text.includes('made-up-whisper'));
  assert.is((await send({ ...profile, whisper: '<PASSWORD>' })).status, 200);
  assert.match((await send({ ...profile, shopKey: 'another', whisper: '<PASSWORD>' })).text, /whisper is <PASSWORD>/);
  assert.not.ok(readFileSync(join(data.path, 'settings.json'), 'utf8').includes('made-up-whisper'));

  const pay = (json: object) => call(`${urls.terminal}/showQR`, { json });
  assert.match((await pay({ amount: 199 })).text, /amount must be at least 200 kopecks \(2\.00 roubles\) at Echo/);
  assert.match((await pay({ amount: 5001 })).text, /amount must be at most 5000 kopecks \(50\.00 roubles\) at Echo/);
  assert.match((await pay({ amount: 300, ttl: 31 })).text, /ttl must be at most 30 minutes at Echo/);
  assert.match((await pay({ amount: 300, ttl: 1 })).text, /ttl must be at least 2 minutes at Echo/);
  assert.is((await pay({ amount: 300, ttl: 30 })).status, 200);
  const status = () => call(`${urls.terminal}/getDynamicQRStatus`);
  await until('the bank says that it was paid', async () => (await status()).body.dynamicQRStatus === 'ACCEPTED');

  assert.match((await send(profile, { connectionType: 'x' })).text, /it must be Serial, BLE, Lamp\b.* or Screen/);
  const placeless = await send(profile, { connectionType: 'lamp' });
  assert.match(placeless.text, /settings\.deviceConnection\.deviceName is required for a lamp/);
  const { settings: shown } = (await call(`${urls.terminal}/getDriverSettings`)).body;
  assert.equal(shown.deviceConnection, { connectionType: 'Lamp', deviceName: 'till' });
  const forms = (await call(`${urls.recognition}/console/api/settings/forms`)).body;
  assert.ok(forms.banks.some(({ name }: { name: string }) => name === 'Echo'));
  assert.equal(
    forms.displays.find(({ name }: { name: string }) => name === 'Lamp'),
    { name: 'Lamp', fields: ['deviceName'] },
  );
  assert.is((await send(profile, { connectionType: 'Lamp', deviceName: 'dark corner' })).status, 200);
  const dark = await pay({ amount: 400 });
  assert.is(dark.body.error_category, 'Screen');
  assert.match(dark.text, /the lamp went out; the code may have been seen/);

  const health = (await call(`${urls.recognition}/health`)).text;
  assert.match(health, /the pins are loud/);
  assert.is(program.output.includes('made-up-whisper'), false);
  const picture = await fetch(`${urls.recognition}/api/get_image`);
  const { channels } = await sharp(Buffer.from(await picture.arrayBuffer())).stats();
  for (const [n, level] of [160, 64, 16].entries()) {
    assert.ok(Math.abs((channels[n]?.mean ?? 0) - level) < 4, `channel ${n} is ${channels[n]?.mean}, not ${level}`);
  }
});

test.run();
