/**
 * Both OpenAPI documents are ones that generators and readers can work with. A new call fails here for what its schema
 * lacks (CONTRIBUTING.md, "Add a call").
 */
import spectral from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CONSOLE_API, V1 } from '../../firmware/core/http/failure-answers.ts';
import { describeRoutes, shareSchemas } from '../../firmware/core/http/reference/described.ts';
import type { Document } from '../../firmware/core/http/reference/operations.ts';
import { terminalEnvelope } from '../../firmware/payments/http/nine/envelope.ts';
import { documents } from '../../scripts/generate.ts';
import { call, failed, startTestDevice } from '../support.ts';
import { RECOGNITION_ROLES } from './declared.ts';
import { ROUTERS, type Router } from './described.ts';
import { type ApiDocument, type Call, callsOf, examplesOf, type Json, type JsonObject, misfits } from './documents.ts';

const test = suite('http: OpenAPI documents');

const texts = await documents();
const documentOf = (router: Router): ApiDocument => JSON.parse(texts[router]);

test('each operation has a unique name, one tag, a summary, and a description that says more', () => {
  for (const router of ROUTERS) {
    const document = documentOf(router);
    const names = new Set<string>();
    const used = new Set<string>();
    for (const { named, operationId = '', tags = [], summary = '', description = '' } of callsOf(document)) {
      assert.match(
        operationId,
        /^[a-z]+[A-Za-z0-9]*$/,
        `${named} needs an operationId: a verb and a noun, as payOrder`,
      );
      assert.not.ok(names.has(operationId), `${named}: another call is named ${operationId}, too`);
      names.add(operationId);
      assert.is(tags.length, 1, `${named} needs one tag`);
      for (const tag of tags) used.add(tag);
      assert.ok(summary.length > 5, `${named} needs a summary`);
      assert.ok(description.length > 5 && description !== summary, `${named} needs a description`);
    }
    const sorted = [...used].sort();
    assert.equal(sorted, document.tags.map(({ name }) => name).sort(), `${router}: tags that are used, and described`);
    const isOld = (name: string): boolean => /^(nine calls|original device): /.test(name);
    const places = document.tags.map(({ name }) => (isOld(name) ? 1 : 0));
    assert.equal(places, places.toSorted(), `${router}: what a newcomer looks for stands first`);
    for (const { named, url, tags: [tag = ''] = [] } of callsOf(document)) {
      if (url.startsWith('/v1/')) assert.not(isOld(tag), `${named} is no call of the original device`);
      if (/^\/(api|download)\//.test(url)) assert.ok(isOld(tag), `${named} must say that it is one`);
    }
    for (const { name, description = '' } of document.tags.filter(({ name }) => isOld(name)))
      assert.match(description, /original (device|driver)/, name);
    for (const { name, description = '' } of document.tags)
      assert.ok(description.length > 5, `the tag ${name} needs a description`);
  }
});

test('the documents promise each call of /v1 once, and no call of the console', async () => {
  await using device = await startTestDevice();
  const console: ApiDocument = (await call(`${device.recognition}/console/api/openapi.json`)).body;
  const promised = ROUTERS.flatMap((router) => callsOf(documentOf(router)));
  const routesUnder = (prefix: string): string[] =>
    Object.keys(RECOGNITION_ROLES)
      .filter((route) => route.includes(` ${prefix}`) && !route.endsWith('/openapi.json'))
      .map((route) => route.replace(/\(.*\)$/, '')); // what a part of the path must be is in no document
  const described = (calls: readonly Call[], prefix: string): string[] =>
    calls
      .filter(({ url }) => url.startsWith(prefix))
      .map(({ named }) => named.replaceAll(/\{(\w+)\}/g, ':$1'))
      .toSorted();
  assert.equal(described(promised, V1), routesUnder(V1).toSorted());
  assert.equal(described(callsOf(console), CONSOLE_API), routesUnder(CONSOLE_API).toSorted());
  assert.equal([...described(promised, '/console/'), ...described(promised, '/display/')], []);
  assert.equal(described(callsOf(console), V1), []);
  assert.is((await call(`${device.terminal}/console/api/settings`)).status, 404, 'the pages ask their own port');
});

test('a parameter that is a number or a yes is one in the document, and lists are paged alike', () => {
  const NUMBERS = ['after', 'amount', 'Last-Event-ID', 'limit', 'number', 'wait', 'weight'];
  for (const { named, parameters = [], responses } of ROUTERS.flatMap((router) => callsOf(documentOf(router)))) {
    for (const { name, schema } of parameters) {
      if (NUMBERS.includes(name)) assert.is(schema?.type, 'integer', `${named}: ${name}`);
      if (name === 'late') assert.is(schema?.type, 'boolean', named);
      assert.not.match(String(schema?.enum), /^(yes|no|true|false)\b/, `${named}: ${name}`);
    }
    const names = parameters.map(({ name }) => name).filter((name) => /^(limit|cursor|before|page|offset)$/.test(name));
    if (names.length === 0) continue;
    assert.equal(names.toSorted(), ['cursor', 'limit'], named);
    const page = responses[200]?.content?.[JSON_TYPE]?.schema?.properties;
    assert.ok(Object.hasOwn(Object(page), 'cursor'), named);
  }
});

const JSON_TYPE = 'application/json';

test('every JSON body and every JSON answer of a success has examples, which fit their schemas', () => {
  for (const router of ROUTERS)
    for (const { named, requestBody, responses } of callsOf(documentOf(router))) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const contents = [requestBody?.content, ...successes.map(([, { content }]) => content)];
      for (const media of contents.map((content) => content?.[JSON_TYPE])) {
        if (media === undefined) continue;
        const examples = examplesOf(media);
        assert.ok(examples.length > 0, `${named} needs examples in the schema of its body and of its answer`);
        for (const example of examples)
          assert.is(misfits(media.schema ?? {}, example), '', `${named}: ${JSON.stringify(example)}`);
      }
    }
});

test('each success has a schema; each failure is `4XX` or `default`, which are the same', () => {
  for (const router of ROUTERS)
    for (const [url, operations] of Object.entries(documentOf(router).paths))
      for (const [method, { responses }] of Object.entries(operations)) {
        const named = `${router} ${method} ${url}`;
        const { '4XX': refused, default: failed, ...successes } = responses;
        for (const status of Object.keys(successes)) assert.match(status, /^[23]/, named);
        for (const { content } of Object.values(successes)) assert.type(content, 'object', named);
        assert.match(refused?.$ref ?? '', /^#\/components\/responses\/(Failure|Problem)$/, named);
        assert.is(failed?.$ref, refused?.$ref, named);
      }
});

/** What is worth a name: the shape of an object, a choice, a form of texts. */
const isSchema = ({ properties, enum: choice, pattern }: JsonObject): boolean =>
  properties instanceof Object || Array.isArray(choice) || typeof pattern === 'string';

/** Every schema that stands in a document itself, with its place; what a reference means is looked at once, in its own place. */
function* schemasIn(part: Json, place = ''): Generator<readonly [place: string, schema: JsonObject]> {
  if (Array.isArray(part)) for (const [index, each] of part.entries()) yield* schemasIn(each, `${place}/${index}`);
  if (Array.isArray(part) || typeof part !== 'object' || part === null) return;
  const schema = part as JsonObject;
  if (isSchema(schema)) yield [place, schema];
  for (const [name, each] of Object.entries(schema))
    if (name !== 'example' && name !== 'examples') yield* schemasIn(each, `${place}/${name}`);
}

function copiesIn(document: ApiDocument): string[] {
  const places = new Map<string, string>();
  const copies: string[] = [];
  for (const [place, { description: _, examples: __, ...schema }] of schemasIn(document as unknown as Json)) {
    const text = JSON.stringify(schema);
    const before = places.get(text);
    if (before === undefined) places.set(text, place);
    else copies.push(`${place} is the same as ${before}`);
  }
  return copies;
}

test('no schema stands in a document twice: one with a title is referred to', () => {
  for (const router of ROUTERS) assert.equal(copiesIn(documentOf(router)), [], 'give the schema a title');
  const twice = documentOf('terminal');
  const schemas = { ...twice.components.schemas, Copy: twice.components.schemas.Payment ?? {} };
  assert.is(copiesIn({ ...twice, components: { ...twice.components, schemas } }).length > 0, true);
});

async function lint(document: Record<string, unknown>): Promise<string[]> {
  const linter = new spectral.Spectral();
  // a contact of a project has no address of mail; tags stand in the order of a reader
  const rules = { 'contact-properties': 'off', 'openapi-tags-alphabetical': 'off' } as const;
  linter.setRuleset({ extends: [[oas as never, 'all']], rules });
  const found = await linter.run(document);
  return found.map(({ code, path, message }) => `${String(code)} ${path.join('/')}: ${message}`);
}

test('no pattern names halves of characters, at which the patterns of most languages fail', () => {
  for (const router of ROUTERS) {
    const patterns = [...texts[router].matchAll(/"pattern": (".*")/g)].map(
      ([, text = '']) => JSON.parse(text) as string,
    );
    assert.ok(patterns.length > 5, router);
    const halves = patterns.filter((pattern) => /\\u\{?d[89a-f]/i.test(pattern));
    assert.equal(halves, [], router);
  }
});

test('spectral:oas has nothing to say of either document', async () => {
  for (const router of ROUTERS) assert.equal(await lint(JSON.parse(texts[router])), [], router);
});

test('spectral:oas would say so', async () => {
  const { tags: _, ...document } = JSON.parse(texts.terminal);
  assert.ok((await lint(document)).some((line) => line.startsWith('operation-tag-defined')));
});

test('a document is made in pieces, and others have their turns in between', async () => {
  const routes = Array.from({ length: 100 }, (_, n) => ({ method: 'GET', url: `/made-up/${n}`, handler: () => null }));
  const about = { title: 'Made up', version: '1', description: 'made up', tags: [] };
  let [turns, isOver] = [0, false];
  const made = describeRoutes(routes, about, { envelope: terminalEnvelope, problems: null }).finally(() => {
    isOver = true;
  });
  for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  assert.ok(turns >= 10, `${turns} turns`);
  assert.is(Object.keys(Object(await made).paths).length, routes.length);
});

test('two schemas of one title are one, or the document is not made', async () => {
  const answering = (schema: object) => ({
    get: { responses: { 200: { content: { [JSON_TYPE]: { schema: { title: 'Fruit', ...schema } } } } } },
  });
  const apple = { type: 'object', description: 'an apple' };
  const document: Document = {
    paths: { '/a': answering(apple), '/b': answering({ ...apple, description: 'a pear' }) },
  };
  await shareSchemas(document);
  assert.equal(document.components?.schemas, { Fruit: apple });
  const schemaAt = (path: string) => document.paths?.[path]?.get?.responses[200]?.content?.[JSON_TYPE]?.schema;
  assert.equal(schemaAt('/a'), { $ref: '#/components/schemas/Fruit' });
  assert.equal(schemaAt('/b'), { $ref: '#/components/schemas/Fruit', description: 'a pear' });
  const other: Document = { paths: { '/a': answering(apple), '/b': answering({ type: 'integer' }) } };
  assert.match((await failed(Error, shareSchemas(other))).message, /called Fruit/);
});

test('a text or a number that several fields share has the words of each at the field alone', () => {
  for (const router of ROUTERS)
    for (const [title, { type, enum: values, description }] of Object.entries(documentOf(router).components.schemas))
      if ((type === 'string' || type === 'integer') && values === undefined)
        assert.is(description, undefined, `${router}: ${title} would be described by the first of its fields`);
  const { Sale } = documentOf('terminal').components.schemas;
  assert.match(JSON.stringify(Sale?.properties), 'what the till calls the sale');
});

test('a token may be sent, and need not from the device itself', () => {
  for (const router of ROUTERS) {
    const { security, components } = JSON.parse(texts[router]);
    assert.equal(security, [{}, { bearer: [] }, { basic: [] }]);
    assert.is(components.securitySchemes.bearer.scheme, 'bearer');
    assert.is(components.securitySchemes.basic.scheme, 'basic');
  }
});

test('a call that answers a file says its failure is JSON, also under 200, as the original does', async () => {
  await using device = await startTestDevice();
  const files = callsOf(documentOf('recognition')).filter(({ responses }) =>
    Object.keys(responses[200]?.content ?? {}).some((type) => /^(image|application\/zip)/.test(type)),
  );
  for (const { named, responses } of callsOf(documentOf('recognition'))) {
    const types = Object.keys(responses[200]?.content ?? {});
    if (types.includes('text/event-stream')) assert.equal(types, ['text/event-stream'], named);
  }
  const old = files.filter(({ url }) => !url.startsWith('/v1/'));
  assert.equal(old.map(({ url }) => url).toSorted(), ['/api/get_image', '/download/{filename}']);
  for (const { url, named, description = '', responses } of old) {
    const schema = responses[200]?.content?.['application/json']?.schema;
    assert.ok(schema, `${named} must describe its failure`);
    assert.match(description, /failure .*JSON.* HTTP 200/, named);
    const { status, headers, body } = await call(device.recognition + url.replace('{filename}', 'laneware-1.zip'));
    if (status !== 200) continue;
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.ok(body.code < 0 && body.msg !== '', named);
    assert.is(misfits(schema, body), '', named);
  }
});

test.run();
