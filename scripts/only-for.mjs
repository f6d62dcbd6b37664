// Names the packages that only one of them needs, itself with them: what can go where that one goes. Read by what npm itself
// reads trees of packages with.
//
//   node only-for.mjs NPM APP NAME        NPM: the folder of npm; APP: the one with node_modules; answers a path a line
import { createRequire } from 'node:module';
import { join } from 'node:path';

const [npm = '', app = '', name = ''] = process.argv.slice(2);
const Arborist = createRequire(join(npm, 'package.json'))('@npmcli/arborist');

/** All that is needed from a package on; `without` is passed over. */
function needed(node, without, seen = new Set()) {
  for (const { to } of node.edgesOut.values()) {
    if (to === null || to.name === without || seen.has(to)) continue;
    needed(to, without, seen.add(to));
  }
  return seen;
}

const tree = await new Arborist({ path: app }).loadActual();
const rest = needed(tree, name);
for (const node of needed(tree)) if (!rest.has(node)) console.log(node.path);
