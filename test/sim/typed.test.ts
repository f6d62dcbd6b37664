/** What is typed to start a simulated lane: each option, each mistake, and how a start that fails ends. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lockDataDir } from '../../firmware/core/files/data-dir.ts';
import { readSimArguments, SIM_CONTROL_PORT, simRefusalOf } from '../../firmware/tools/sim/typed.ts';
import { ROOT } from '../root.ts';
import { temporaryFolder } from '../support.ts';

const test = suite('a simulated lane, as it is typed');

const A_FILE = join(ROOT, 'package.json');

function failureOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('it did not fail');
}

/** What is said of arguments that are wrong. */
const refused = (args: readonly string[]) => simRefusalOf(failureOf(() => readSimArguments(args, {})));

test('options are read, their limits included; the environment is kept', () => {
  using folder = temporaryFolder();
  const usual = readSimArguments([], { KEPT: '1' });
  assert.is(usual.printed, null);
  assert.equal(usual.options, {
    ...{ speed: 1, dataDir: null, host: '127.0.0.1', controlPort: SIM_CONTROL_PORT, names: [], env: { KEPT: '1' } },
  });
  const ports = ['--port', '0', '--recognition-port', '65535', '--bank-port', '7', '--control-port', '8'];
  const more = ['--speed', '1000', '--host', '::1', '--name', 'a', '--name', 'b'];
  for (const data of [folder.path, join(folder.path, 'to be made')])
    assert.equal(readSimArguments([...ports, ...more, '--data', data], {}).options, {
      ...{ speed: 1000, dataDir: data, host: '::1', controlPort: 8, names: ['a', 'b'] },
      env: { LANEWARE_TERMINAL_PORT: '0', LANEWARE_RECOGNITION_PORT: '65535', LANEWARE_SANDBOXBANK_PORT: '7' },
    });
  for (const help of ['--help', '-h']) assert.match(readSimArguments([help], {}).printed ?? '', '--control-port');
});

test('a mistake is named, for people with all options, and ends with 2', () => {
  for (const [args, words] of [
    [['--speed', '0'], /^--speed must be a whole number, 1 to 1000; it is "0"\nusage:/],
    [['--speed', '1001'], /it is "1001"/],
    [['--speed', '1.5'], /it is "1.5"/],
    [['--port', '65536'], /^--port must be a whole number, 0 to 65535/],
    [['--control-port', '65536'], /^--control-port must be/],
    [['--sped', '2'], /--sped/],
    [['--port'], /--port <value>.*missing\nusage:/],
    [['--data', ''], /^--data must name a folder, there already or to be made; it is ""/],
    [['--data', A_FILE], /^--data must name a folder/],
    [
      ['--name', 'a', '--name', 'bad/name'],
      /^--name must be a host name, as lane-7.shop.example; it is "bad\/name"\nusage:/,
    ],
    [['--name', ''], /^--name must be a host name/],
    [['--name', 'http://lane:1234'], /^--name must be a host name/],
  ] as const) {
    const { text, exitCode } = refused(args);
    assert.is(exitCode, 2, args.join(' '));
    assert.match(text, words);
  }
  assert.match(refused(['--speed', '0']).json, /^\{"error":\{"exit":"usage","code":null,"message":"--speed must/);
});

test('what keeps a lane from starting ends with 1, without the options; a fault has its stack', () => {
  const of = (code: string) => simRefusalOf(Object.assign(new Error('E'), { code }));
  assert.equal(of('DATA_DIR_UNUSABLE'), {
    ...{ text: 'E\n', exitCode: 1 },
    json: '{"error":{"exit":"failed","code":"DATA_DIR_UNUSABLE","message":"E"}}\n',
  });
  assert.match(of('EADDRINUSE').text, /^E: another program listens there; [^\n]*--control-port[^\n]*\n$/);
  for (const code of ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])
    assert.match(of(code).text, /^--host names no address of this machine: E\nusage:/);
  assert.throws(() => of('EMADEUP'), 'E');
});

test('a folder that cannot be had is another with --data', () => {
  using folder = temporaryFolder();
  const held = lockDataDir(folder.path);
  for (const [path, words] of [
    ['/proc/x', /^\/proc\/x cannot be made: [^\n]*; set --data to another folder\n$/],
    [folder.path, / is in use by another Laneware process[^\n]*, or set --data to another folder\n$/],
  ] as const) {
    const refusal = simRefusalOf(failureOf(() => lockDataDir(path)));
    assert.match(refusal.text, words);
    assert.not.match(refusal.json, 'LANEWARE_DATADIR');
  }
  held.release();
});

test.run();
