/** What is said where a device does not start, and the exit code that systemd and scripts go by. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readArguments } from '../firmware/device/arguments.ts';
import { refusalOf } from '../firmware/device/refusal.ts';

const test = suite('a start that is refused');

const ended = (code: string, more: object = {}) => refusalOf(Object.assign(new Error('E'), { code, ...more }));

test('each cause has its sentence and exit code: 1, 2 for an argument, 78 if a restart is vain', () => {
  for (const [code, exitCode, sentence] of [
    ['ARGUMENT_INVALID', 2, /^E$/],
    ['CONFIG_INVALID', 78, /^E$/],
    ['DATA_DIR_BUSY', 1, /^E$/],
    ['DATA_DIR_UNUSABLE', 1, /^E$/],
    ['SEAL_BROKEN', 1, /^E$/],
    ['EADDRINUSE', 1, /^E: another program listens there; .*LANEWARE_TERMINAL_PORT/],
    ['EADDRNOTAVAIL', 1, /^E: this machine has no such address; .*LANEWARE_TERMINAL_HOST/],
    ['ENOTFOUND', 1, /^E: this machine has no such address/],
    ['EAI_AGAIN', 1, /^E: this machine has no such address/],
  ] as const) {
    const refusal = ended(code);
    assert.is(refusal.exitCode, exitCode, code);
    assert.match(refusal.sentence, sentence);
  }
  const tooLow = ended('EACCES', { syscall: 'listen' });
  assert.is(tooLow.exitCode, 78);
  assert.match(tooLow.sentence, /^E: this user may open no port as low as that/);
  assert.is(ended('EACCES', { syscall: 'open' }).exitCode, 1);
});

test('what nobody expects keeps its stack', () => {
  const error = new TypeError('a fault');
  assert.throws(
    () => refusalOf(error),
    (thrown: unknown) => thrown === error,
  );
});

test('arguments are read, and a wrong one is named with the nearest', () => {
  for (const [args, config, print] of [
    [[], null, null],
    [['--config', 'lane.json'], 'lane.json', null],
    [['--config=lane.json'], 'lane.json', null],
    [['--help'], null, 'help'],
    [['-h'], null, 'help'],
    [['--version'], null, 'version'],
    [['--version', '--help'], null, 'help'],
  ] as const)
    assert.equal(readArguments(args), { config, print }, args.join(' '));
  for (const [args, sentence] of [
    [['--confg', 'x'], /^there is no option --confg: did you mean --config\?$/],
    [['--hlep'], /did you mean --help\?/],
    [['-x'], /there is no option -x: there are --config, --help, --version$/],
    [['--config'], /--config needs a file/],
    [['--config='], /--config needs a file/],
    [['--help=yes'], /--help takes no value/],
    [['--version=1'], /--version takes no value/],
    [['config.json'], /"config\.json" is no option: see --help.*--config/],
  ] as const)
    assert.throws(() => readArguments(args), sentence);
});

test.run();
