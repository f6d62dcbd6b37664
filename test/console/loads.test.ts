/** What a browser fetches of each page of a release before it can be used, first and again, in both languages: within `scripts/bench/budgets.ts`. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { overspent } from '../../scripts/bench/budgets.ts';
import { setUp, startTestDevice } from '../support.ts';
import { madePages } from './made-pages.ts';

const test = suite('loads of the pages');

/** What every page asks for, then what each does: pictures of the camera are not of the load, they come as long as one looks. */
const OF_ALL = ['/console/api/session', '/console/api/overview'];
const OF_EACH = {
  lane: ['/v1/recognition', '/v1/reports/day', '/console/api/camera/drawn-tray'],
  payments: ['/v1/reports/day', '/v1/payments?limit=100'],
  items: [
    ...[
      '/v1/items?limit=500',
      '/console/api/recognition/look-alikes?limit=99',
      '/console/api/deletions',
      '/v1/templates',
    ],
    '/console/api/recognition/ranks?days=90',
  ],
  teach: ['/v1/items?limit=8', '/v1/templates', '/console/api/recognition/uncertain'],
  camera: ['/console/api/camera/drawn-tray', '/console/api/camera', '/v1/recognition'],
  store: ['/console/api/store'],
  device: [
    '/console/api/backups',
    '/console/api/tokens',
    '/console/api/pins',
    '/console/api/log?level=error&limit=1',
    '/console/api/device',
  ],
  integrate: ['/console/api/calls?origin=till'],
  welcome: ['/console/api/settings/forms', '/console/api/settings', '/v1/templates', '/console/api/camera'],
} as const;
/** What a browser takes over TLS and on the device itself, and says of itself. */
const OF_A_PAGE = { 'accept-encoding': 'gzip, br', 'sec-fetch-site': 'same-origin' };
/** What a browser sends again with what it has. */
interface Kept {
  readonly etag: string | null;
  readonly isImmutable: boolean;
}

test('each page, first and again, in both languages', async () => {
  await using device = await startTestDevice({}, undefined, { pages: await madePages(['br']) });
  await setUp(device);
  const bytes = async (path: string, kept: Map<string, Kept>): Promise<number> => {
    const { etag = null, isImmutable = false } = kept.get(path) ?? {};
    if (isImmutable) return 0;
    const headers = { ...OF_A_PAGE, ...(etag !== null && { 'if-none-match': etag }) };
    const response = await fetch(device.recognition + path, { headers });
    // as it came: the body is read unpacked
    const length = response.status === 304 ? 0 : Number(response.headers.get('content-length'));
    await response.arrayBuffer();
    const isFor = (response.headers.get('cache-control') ?? '').includes('immutable');
    kept.set(path, { etag: response.headers.get('etag'), isImmutable: isFor });
    return length + [...response.headers].join('\r\n').length;
  };
  const document = await (await fetch(device.recognition)).text();
  const named = [...new Set([...document.matchAll(/"(\/console\/assets\/[^"]+)"/g)].map(([, path = '']) => path))];
  const script = named.find((path) => path.endsWith('.js')) ?? '';
  for (const language of ['en', 'ru'])
    for (const [page, own] of Object.entries(OF_EACH)) {
      const words = script.replace('console/pages/console.js', `words/${language}.js`);
      const paths = ['/', ...named, words, ...OF_ALL, ...own];
      const kept = new Map<string, Kept>();
      const load = async () => {
        let all = 0;
        for (const path of paths) all += await bytes(path, kept);
        return all / 1024;
      };
      const figures = { pageRequests: paths.length, pageKibibytes: await load(), pageAgainKibibytes: await load() };
      assert.equal(overspent(figures), [], `${page} ${language} ${JSON.stringify(figures)}`);
    }
});

test.run();
