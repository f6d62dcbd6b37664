/** A browser that opens the first page of a port for programs finds the console. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { call, startTestDevice } from '../support.ts';

const test = suite('http: the first page');
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('both other ports lead a browser to the console, and tell a program that nothing is there', async () => {
  await using device = await startTestDevice();
  for (const base of [device.terminal, device.sandbox]) {
    const led = await call(base, { headers: BROWSER, redirect: 'manual' });
    assert.equal([led.status, led.headers.get('location')], [302, `${device.recognition.replace('http:', '')}/`], base);
    const page = await call(base, { headers: BROWSER });
    assert.match(page.text, /<!doctype html>/i, base);
    for (const accept of ['*/*', 'application/json'])
      assert.is((await call(base, { headers: { accept } })).status, 404, `${base} ${accept}`);
  }
});

test('it is led to the name that it has asked for', async () => {
  await using device = await startTestDevice();
  const named = await call(device.terminal.replace('127.0.0.1', 'localhost'), { headers: BROWSER, redirect: 'manual' });
  assert.match(named.headers.get('location') ?? '', /^\/\/localhost:\d+\/$/);
});

test.run();
