/** `lanectl selftest`: a walk whose answers are typed, the report as a file, and what is in its way. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EXIT_CODES } from '../../firmware/core/cli/exit-codes.ts';
import { freePort } from '../ports.ts';
import { call, setUp, startTestDevice, temporaryFolder, until } from '../support.ts';
import { ends, lanectl, leadingTo, start } from './lanectl.ts';

const test = suite('lanectl selftest');

test('a walk, and its report', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'report.html');
  {
    await using device = await startTestDevice();
    await setUp(device);
    const env = leadingTo(device);
    const walked = await lanectl(['selftest'], { env, input: 'y\nwhat?\nn\ns\nyes\n' });
    assert.match(
      walked.stdout,
      /Passed +Display: code\n(.|\n)*Failed +Display: success\n(.|\n)*Skipped +Display: failure\n(.|\n)*Passed +Display: blank\n/,
    );
    assert.match(walked.stdout, /Not present +Lamp/);
    assert.match(walked.stdout, /Check +Bank\n +Test bank answered in \d+ ms \(at most 5000 ms\)\n +The test bank/);
    assert.match(walked.stdout, /The device did not pass\.\nreport 1: lanectl selftest report FILE\n$/);
    assert.match(walked.stderr, /whole and sharp\? \[y\]es/);
    assert.is(walked.code, EXIT_CODES.faults);

    const written = await lanectl(['selftest', 'report', file, '--json'], { env });
    assert.equal([written.code, JSON.parse(written.stdout)], [0, { file }], written.stderr);
    assert.match(readFileSync(file, 'utf8'), /^<!doctype html>\n(.|\n)*>Failed<(.|\n)*<\/html>\n$/);
  }
  {
    await using fresh = await startTestDevice();
    const none = await lanectl(['selftest', 'report', `${file}.other`], { env: leadingTo(fresh) });
    assert.equal([none.code, existsSync(`${file}.other`)], [EXIT_CODES.refused, false], none.stderr);
    assert.match(none.stderr, 'this device has made no report yet: lanectl selftest makes one');
  }
});

test('end of input and Ctrl-C stop it; a payment refuses it; a lost device is left to doctor', async () => {
  await using device = await startTestDevice();
  await setUp(device);
  const env = leadingTo(device);
  const ended = await lanectl(['selftest', '--json'], { env, input: 'y\n' });
  const { stage, why, results } = JSON.parse(ended.stdout);
  const found = [ended.code, stage, why, results.length];
  assert.equal(found, [EXIT_CODES.interrupted, 'broken', 'stopped', 1], ended.stderr);
  await using running = start(['selftest'], { env, terminal: true });
  await until('a question', () => running.text().includes('whole and sharp'));
  running.signal('SIGINT');
  await ends('interrupted', running.ended);
  assert.is((await call(`${device.recognition}/console/api/self-test`)).body.why, 'stopped');

  assert.is((await call(`${device.terminal}/showQR`, { json: { amount: 100 } })).status, 200);
  const refused = await lanectl(['selftest', '--json'], { env, input: 'y\n' });
  assert.equal([refused.code, JSON.parse(refused.stdout).error.code], [EXIT_CODES.refused, 'Device.SaleRuns']);

  const url = `http://127.0.0.1:${await freePort()}`;
  const away = { LANEWARE_URL: url, LANEWARE_RECOGNITION_URL: url };
  const own = await lanectl(['selftest', '--json'], { env: away });
  const doctor = await lanectl(['doctor', '--json'], { env: away });
  assert.equal([own.code, JSON.parse(own.stdout).faults], [EXIT_CODES.faults, JSON.parse(doctor.stdout).faults]);
});

test.run();
