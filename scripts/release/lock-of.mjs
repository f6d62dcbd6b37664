// Makes a folder with one package of a lock and its builds for other systems: `npm ci` there installs the locked
// versions.
//
//   node lock-of.mjs NAME ROOT FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [name = '', root = '', folder = ''] = process.argv.slice(2);
const { packages, ...lock } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const entry = packages[`node_modules/${name}`];
const needed = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
const paths = [name, ...needed].map((each) => `node_modules/${each}`);
const parts = Object.fromEntries(paths.map((path) => [path, { ...packages[path], dev: false }]));
const manifest = { name: 'tools', version: '0.0.0', private: true, dependencies: { [name]: entry.version } };
const write = (file, content) => writeFileSync(join(folder, file), JSON.stringify(content));
write('package.json', manifest);
write('package-lock.json', { ...lock, ...manifest, packages: { '': manifest, ...parts } });
