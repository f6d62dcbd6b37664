/** With a damaged or lost key or certificate a master still works, and reports which slaves it has lost. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCertificate } from '../../firmware/core/tls/certificate.ts';
import { tlsPair } from '../../firmware/core/tls/pair.ts';
import { openMasterCertificate } from '../../firmware/sync/centre/server-config.ts';
import { temporaryFolder } from '../support.ts';
import { agree, joinStore, startLane, startMaster, status } from './rig.ts';

const files = suite('synchronisation: key and certificate of a master');

const OTHER = makeCertificate(['other']);
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  nothing: (path) => rmSync(path),
  empty: (path) => writeFileSync(path, ''),
  garbage: (path) => writeFileSync(path, Buffer.from('\xff\x00 no PEM', 'latin1')),
  'a flipped byte': (path) => {
    const bytes = readFileSync(path);
    bytes[60] = (bytes[60] ?? 0) ^ 0x04;
    writeFileSync(path, bytes);
  },
  'cut short': (path) => writeFileSync(path, readFileSync(path).subarray(0, 90)),
  'of another': (path) => writeFileSync(path, path.endsWith('key.pem') ? OTHER.key : OTHER.certificate),
  'a folder': (path) => {
    rmSync(path);
    mkdirSync(join(path, 'not empty'), { recursive: true });
  },
  'a pipe': (path) => {
    rmSync(path);
    execFileSync('mkfifo', [path]);
  },
  'a link to itself': (path) => {
    rmSync(path);
    symlinkSync(path, path);
  },
};

files('it is made once, and the same at each start', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const first = openMasterCertificate(folder);
  assert.is(first.problem, null);
  assert.equal(openMasterCertificate(folder), first);
  assert.is(tlsPair(first.certificate, readFileSync(join(folder, 'key.pem'), 'utf8')).certificate, first.certificate);
});

for (const name of ['key.pem', 'certificate.pem'])
  for (const [damage, spoil] of Object.entries(DAMAGES))
    files(`${name}: ${damage}: a new pair is made, the old one put aside, reported`, () => {
      using temporary = temporaryFolder();
      const folder = temporary.path;
      const { certificate } = openMasterCertificate(folder);
      spoil(join(folder, name));
      const made = openMasterCertificate(folder);
      assert.is.not(made.certificate, certificate);
      tlsPair(made.certificate, readFileSync(join(folder, 'key.pem'), 'utf8'));
      const aside = readdirSync(folder).filter((each) => each.includes('.damaged-'));
      // without its certificate, a key is one that no slave knows yet
      const isFirstStart = name === 'certificate.pem' && damage === 'nothing';
      assert.is(aside.length > 0, !isFirstStart);
      if (isFirstStart) return;
      assert.match(made.problem ?? '', /pair the slaves anew/);
      const next = openMasterCertificate(folder);
      assert.equal(next, made, 'it is reported until what was set aside is moved');
      for (const each of aside) rmSync(join(folder, each), { recursive: true });
      assert.is(openMasterCertificate(folder).problem, null);
    });

files('what cannot be read just now is no damage: nothing is set aside', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const { certificate } = openMasterCertificate(folder);
  const path = join(folder, 'certificate.pem');
  rmSync(path);
  symlinkSync(`/${'x'.repeat(300)}`, path); // ENAMETOOLONG: an error that says nothing about the file
  assert.throws(() => openMasterCertificate(folder));
  assert.equal(readdirSync(folder).sort(), ['certificate.pem', 'key.pem']);
  rmSync(path);
  writeFileSync(path, certificate);
  assert.is(openMasterCertificate(folder).certificate, certificate);
});

files('a master starts anyway, says that its slaves must be paired anew, and they can be', async () => {
  await using folder = temporaryFolder();
  {
    await using master = await startMaster('M', { folder: folder.path });
    assert.is((await status(master)).role, 'master');
  }
  writeFileSync(join(folder.path, 'sync', 'certificate.pem'), 'no PEM');
  await using master = await startMaster('M', { folder: folder.path });
  assert.match((await status(master)).problem, /pair the slaves anew/);
  await using slave = await startLane('S');
  await joinStore(slave, master);
  await slave.learn('7');
  await agree([master, slave], 1);
});

files.run();
