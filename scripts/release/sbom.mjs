// Finishes the bill of materials of a release (CycloneDX 1.5) that `npm sbom` began from the lock. That lists too much,
// because `--omit dev` would also omit packages that both run and test. The result lists only what is in the folder,
// with Node, the message server and the model. The same release gives the same bytes: number and date are the commit's.
//
//   npm sbom … | node sbom.mjs RELEASE EPOCH [VERSION]   RELEASE: the folder; EPOCH: of the commit; VERSION: of the message server
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [release = '', epoch = '', server = ''] = process.argv.slice(2);
const read = (path) => readFileSync(join(release, path));
const readJson = (path) => JSON.parse(read(path));
const digest = (content) => createHash('sha256').update(content).digest('hex');
const ofFile = (path) => [{ alg: 'SHA-256', content: digest(read(path)) }];
const { version, arch, commit } = Object.fromEntries(
  read('RELEASE')
    .toString()
    .trim()
    .split('\n')
    .map((line) => line.split('=')),
);

const bom = JSON.parse(readFileSync(0, 'utf8'));
/** Matches the description of a package itself, not of a folder in it. */
const DESCRIPTION = /^(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+\/package\.json$/;
const packages = readdirSync(join(release, 'node_modules'), { recursive: true, encoding: 'utf8' })
  .filter((path) => DESCRIPTION.test(path))
  .map((path) => readJson(join('node_modules', path)));
const present = new Set(packages.map((each) => `${each.name}@${each.version}`));

const { dependencies, optionalDependencies } = readJson('package.json');
const direct = new Set(
  Object.entries({ ...dependencies, ...optionalDependencies }).map(([name, pinned]) => `${name}@${pinned}`),
);
const node = optionalDependencies[`node-linux-${arch}`];
const model = readJson('models/lane-embed-1.json');
const [, native] = existsSync(join(release, 'bin/litert'))
  ? (/^ai-edge-litert==(\S+)/m.exec(read('scripts/lib/native-runtime.txt').toString()) ?? [])
  : [];
const others = [
  {
    type: 'platform',
    name: 'node',
    version: node,
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    purl: `pkg:npm/node-linux-${arch}@${node}`,
    hashes: ofFile('bin/node'),
    licenses: [{ license: { id: 'MIT' } }],
  },
  server && {
    type: 'application',
    name: 'nats-server',
    version: server,
    purl: `pkg:deb/debian/nats-server@${encodeURIComponent(server)}?arch=${arch === 'x64' ? 'amd64' : arch}`,
    hashes: ofFile('bin/nats-server'),
    licenses: [{ license: { id: 'Apache-2.0' } }],
  },
  native && {
    type: 'library',
    name: 'ai-edge-litert',
    version: native,
    purl: `pkg:pypi/ai-edge-litert@${native}`,
    hashes: ofFile('bin/litert/libLiteRt.so'),
    licenses: [{ license: { id: 'Apache-2.0' } }],
  },
  {
    type: 'machine-learning-model',
    name: model.name,
    version: model.version,
    hashes: ofFile(`models/${model.file}`),
    licenses: [{ license: { name: model.licence } }],
  },
].flatMap((each) => (each ? [{ 'bom-ref': `${each.name}@${each.version}`, ...each }] : []));

/** Licences of packages whose descriptions name none, as read in the texts that they bring. */
const UNNAMED = {
  '@nornagon/put': { license: { id: 'MIT' } },
  jsbi: { license: { id: 'Apache-2.0' } },
  'map-stream': { license: { id: 'MIT' } },
  'pause-stream': { expression: 'MIT OR Apache-2.0' },
};
const components = [...bom.components.filter((each) => present.has(each['bom-ref'])), ...others].map((each) => {
  const name = each.group ? `${each.group}/${each.name}` : each.name;
  if (!each.licenses && !UNNAMED[name])
    throw new Error(`${name} names no licence: read its text, and name it in sbom.mjs`);
  return each.licenses ? each : { ...each, licenses: [UNNAMED[name]] };
});

const own = bom.metadata.component['bom-ref'];
const ref = `laneware@${version}`;
const number = digest(`${commit} ${arch} ${version}`).replace(
  /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
  'urn:uuid:$1-$2-8$3-8$4-$5',
);
writeFileSync(
  join(release, 'sbom.cdx.json'),
  `${JSON.stringify({
    ...bom,
    serialNumber: number,
    metadata: {
      timestamp: new Date(Number(epoch) * 1000).toISOString(),
      component: {
        'bom-ref': ref,
        type: 'firmware',
        name: 'laneware',
        version,
        licenses: [{ license: { id: 'MIT' } }],
        properties: [
          { name: 'laneware:arch', value: arch },
          { name: 'laneware:commit', value: commit },
        ],
      },
    },
    components,
    dependencies: bom.dependencies
      .filter((each) => each.ref === own || present.has(each.ref))
      .map(({ ref: from, dependsOn }) => ({
        ref: from === own ? ref : from,
        dependsOn: [
          ...dependsOn.filter((each) => present.has(each) && (from !== own || direct.has(each))),
          ...(from === own ? others.map((each) => each['bom-ref']) : []),
        ],
      })),
  })}\n`,
);
