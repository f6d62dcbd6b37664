/** `lanectl look-alikes`: what recognition hardly keeps apart, and what an operator can do about it. */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import type { LookAlikesAnswer } from '../../recognition/index.ts';
import { acting, type Tools } from '../context.ts';

type LookAlikes = Static<typeof LookAlikesAnswer>;
type Pair = LookAlikes['pairs'][number];
type Stray = LookAlikes['strays'][number];

const PATH = '/console/api/recognition/look-alikes';
/** With fewer templates the device cannot yet judge an item; it uses the same number. */
const ENOUGH_TEMPLATES = 5;

const nameOf = ({ id, name }: { readonly id: string; readonly name: string | null }): string =>
  name === null ? id : `${name} (${id})`;

function cureOf({ items, cure }: Pair): string {
  if (cure === 'delete-strays') return 'check the stray templates below and delete the wrong ones';
  if (cure === 'choose')
    return 'the camera cannot distinguish them: let the customer choose, or sell one of them by barcode';
  const few = items.filter(({ templates }) => templates < ENOUGH_TEMPLATES);
  const more = few.map(({ id, templates }) => `lanectl teach ${id} --times ${ENOUGH_TEMPLATES - templates}`);
  return `learn more, turned and laid down anew in between: ${more.join('; ')}`;
}

const pairLines = (pair: Pair): string[] => [
  `${pair.items.map(nameOf).join(' and ')} (${pair.similarity.toFixed(2)})`,
  `  ${cureOf(pair)}`,
];

const strayLines = ({ item, template, picture, looksLike }: Stray, url: string): string[] => [
  `a template of ${nameOf(item)} looks like ${nameOf(looksLike)}`,
  `  look at ${url}${picture}`,
  `  if it is wrong: curl -X DELETE ${url}/v1/items/${encodeURIComponent(item.id)}/templates/${template}`,
];

/** Every item is looked at, some with each answer. */
async function find({ device, out }: Tools): Promise<LookAlikes> {
  const all: LookAlikes = { pairs: [], strays: [], looked: 0, cursor: null };
  do {
    const page: string = all.cursor === null ? '' : `&cursor=${encodeURIComponent(all.cursor)}`;
    const { pairs, strays, looked, cursor } = (await device.call('recognition', `${PATH}?limit=99${page}`))
      .body as LookAlikes;
    all.pairs.push(...pairs);
    all.strays.push(...strays);
    all.looked += looked;
    all.cursor = cursor;
    out.progress(`${all.looked} items were looked at`);
  } while (all.cursor !== null);
  return all;
}

async function lookAlikes(tools: Tools): Promise<undefined> {
  const { device, out } = tools;
  const { pairs, strays, looked } = await find(tools);
  const url = await device.urlOf('recognition');
  const lines = [...pairs.flatMap(pairLines), ...strays.flatMap((stray) => strayLines(stray, url))];
  const words = `${looked} items were looked at: ${pairs.length} pairs look alike, ${strays.length} templates may be wrong`;
  out.result({ pairs, strays, looked }, [...lines, words]);
}

export function addLookAlikes(program: Command): void {
  program
    .command('look-alikes')
    .description('show items that are hard to distinguish, what helps, and templates that may be wrong')
    .action(acting(lookAlikes));
}
