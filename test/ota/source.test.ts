/** Where releases may be looked for: over TLS, on this machine or in a file; over plain HTTP only where somebody says so. */
import { execFileSync } from 'node:child_process';
import { createReadStream, readFileSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suiteNeeding } from '../needing.ts';
import { each } from '../support.ts';
import { FAILED, NEW, NO_RELEASES, OLD, onDevice, REFUSED, type Rig } from './rig.ts';
import { serveReleases, type Web, web } from './server.ts';

const source = suiteNeeding(NO_RELEASES, 'sources of releases');
const it = each<[Rig]>(source, (run) => () => onDevice(run));

/** Reached through a proxy on this machine: no test leaves it. */
const ELSEWHERE = 'http://updates.example/laneware.release';

const sending =
  (file: string): RequestListener =>
  (_request, response) =>
    void createReadStream(file).pipe(response);
const leadingTo =
  (url: string): RequestListener =>
  (_request, response) =>
    void response.writeHead(302, { location: url }).end();

/** A web server with a certificate that the updater is set to trust. */
async function overTls(rig: Rig, answer: RequestListener): Promise<Web & { readonly certificate: string }> {
  const [key, certificate] = [join(rig.folder, 'web.key'), join(rig.folder, 'web.crt')];
  const names = ['-subj', '/CN=updates', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '1'];
  const command = ['req', '-x509', '-newkey', 'ed25519', '-nodes', ...names, '-keyout', key, '-out', certificate];
  execFileSync('openssl', command, { stdio: 'ignore' });
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  return { ...(await web((listener) => createHttpsServer(pair, listener), answer)), certificate };
}

it('plain HTTP to another machine is refused without --insecure, before it is asked', async (rig) => {
  await using proxy = await web(createHttpServer, sending(rig.release()));
  const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
  for (const address of [
    ELSEWHERE,
    'http://192.0.2.7/',
    'http://127.0.0.1.updates.example/',
    'http://127.0.0.1:80@updates.example/',
    'http://localhost.updates.example/',
  ]) {
    for (const command of ['check', 'update']) {
      const output = await rig.ends(REFUSED, [command, '--from', address], env);
      assert.match(output, 'anybody on the way can hold releases back');
      assert.match(output, '--insecure');
    }
    rig.configure({ source: address, gate_seconds: '0' });
    await rig.ends(REFUSED, ['update', '--quiet'], env);
  }
  assert.is(proxy.requests.length, 0);
  assert.is(await rig.answers(), OLD);
});

it('plain HTTP is taken with --insecure, and at night where the settings say so', async (rig) => {
  await using proxy = await web(createHttpServer, sending(rig.release()));
  const env = { http_proxy: `http://127.0.0.1:${proxy.port}` };
  await rig.ends(0, ['check', '--insecure', '--from', ELSEWHERE], env);
  rig.configure({ source: ELSEWHERE, insecure: 'yes', gate_seconds: '0', payment_wait_seconds: '0' });
  await rig.takes(NEW, ['--quiet'], env);
});

it('a source over TLS is taken, with the certificate that its machine trusts', async (rig) => {
  await using server = await overTls(rig, sending(rig.release()));
  const address = `https://127.0.0.1:${server.port}/`;
  assert.match(await rig.ends(FAILED, ['update', '--from', address]), /certificate/i);
  await rig.takes(NEW, ['--from', address], { CURL_CA_BUNDLE: server.certificate });
});

it('a release that is missing on a web server is a failure', async (rig) => {
  await using server = await overTls(rig, (_request, response) => void response.writeHead(404).end());
  const env = { CURL_CA_BUNDLE: server.certificate };
  assert.match(await rig.ends(FAILED, ['update', '--from', `https://127.0.0.1:${server.port}/`], env), 'cannot read');
});

it('a source over TLS that leads to plain HTTP is not followed, with any setting for others', async (rig) => {
  await using proxy = await web(createHttpServer, sending(rig.release()));
  await using server = await overTls(rig, leadingTo(ELSEWHERE));
  const env = { http_proxy: `http://127.0.0.1:${proxy.port}`, CURL_CA_BUNDLE: server.certificate };
  for (const more of [[], ['--insecure']]) {
    await rig.ends(FAILED, ['update', '--from', `https://127.0.0.1:${server.port}/`, ...more], env);
  }
  assert.is(proxy.requests.length, 0);
  assert.is(await rig.answers(), OLD);
});

it('a source on this machine may be plain HTTP, and may not lead away from it', async (rig) => {
  const release = rig.release();
  await using proxy = await web(createHttpServer, sending(release));
  await using away = await web(createHttpServer, leadingTo(ELSEWHERE));
  const env = { http_proxy: `http://127.0.0.1:${proxy.port}`, no_proxy: '127.0.0.1' };
  await rig.ends(FAILED, ['update', '--from', `http://127.0.0.1:${away.port}/`], env);
  assert.is(proxy.requests.length, 0);
  using server = await serveReleases(release);
  await rig.ends(0, ['update', '--from', server.url]);
});

it('what is neither a web server nor a file is no source, and the sentence says what is', async (rig) => {
  for (const address of ['ftp://updates.example/', 'file:///etc/passwd', 'HTTP://updates.example/', 'scp://u@h/x']) {
    assert.match(await rig.ends(REFUSED, ['update', '--from', address]), 'https://');
  }
});

it('brackets and braces of an address are no patterns', async (rig) => {
  using server = await serveReleases(rig.release());
  await rig.ends(0, ['update', '--from', `${server.url}?{a,b}[1-3]`]);
});

source.run();
