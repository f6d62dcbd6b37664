/**
 * The calls of the self-test, with which the page or `lanectl` begins it, answers its questions, and reads its reports.
 */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { DEFAULT_LANGUAGE, LANGUAGES } from '../../../drivers/lib/languages.ts';
import { NO_STORE, ordinal, PRINT_HEADERS, withPrintBar } from '../../core/http/index.ts';
import { orNull } from '../../core/schema/index.ts';
import type { SelfTestState } from './run.ts';
import type { SelfTest, SelfTestOptions } from './self-test.ts';

/** Text of the code on the printed test card. The self-test accepts any other code, too. */
const CARD = 'LANEWARE TEST CARD';

/** Schema of the state. Its type is that of the self-test, whose code is loaded late. */
const State = Type.Unsafe<SelfTestState>(
  Type.Object(
    {
      stage: Type.Enum(['rest', 'running', 'done', 'broken']),
      steps: Type.Array(Type.String(), { description: 'names of all, in order' }),
      step: orNull(Type.String(), 'the one that is taken now'),
      asks: orNull(Type.Enum(['see', 'ready', 'press']), 'what the person is asked about it'),
    },
    { additionalProperties: true },
  ),
);
const Begin = Type.Object(
  { language: Type.Enum([...LANGUAGES], { description: 'of the report' }) },
  { additionalProperties: false, examples: [{ language: DEFAULT_LANGUAGE }] },
);
const Answer = Type.Object(
  {
    step: Type.String({ description: 'that was asked about: an answer to another one is passed over' }),
    answer: Type.Enum(['yes', 'no', 'skip', 'stop'], { description: '`stop` breaks the whole test off' }),
  },
  { additionalProperties: false, examples: [{ step: 'code', answer: 'yes' }] },
);

/** Adds the calls; the self-test itself is loaded at the first call. */
export function addSelfTestRoutes(app: FastifyInstance, options: SelfTestOptions): void {
  let opened: Promise<SelfTest> | null = null;
  const open = (): Promise<SelfTest> => {
    opened ??= import('./self-test.ts').then((loaded) => new loaded.SelfTest(options));
    return opened;
  };
  app.addHook('preClose', async () => (await opened)?.close());

  app.get(
    '/console/api/self-test',
    { config: { role: 'technician' }, schema: { response: { 200: State } } },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return (await open()).state;
    },
  );

  app.post(
    '/console/api/self-test',
    {
      config: { role: 'technician', audit: { event: 'self-test' } }, // it uses the display and the lamp for a while
      schema: { body: Begin, response: { 200: State } },
    },
    async ({ body }) => {
      const test = await open();
      test.begin(body.language);
      return test.state;
    },
  );

  app.put(
    '/console/api/self-test/answer',
    { config: { role: 'technician', audit: null }, schema: { body: Answer, response: { 200: State } } },
    async ({ body }) => {
      const test = await open();
      if (body.answer === 'stop') test.stop();
      else test.answer(body.step, body.answer);
      return test.state;
    },
  );

  app.get(
    '/console/api/self-test/reports/:number',
    { config: { role: 'technician' }, schema: { params: Type.Object({ number: ordinal('of the report') }) } },
    async ({ params: { number } }, reply) => {
      const page = (await open()).report(number);
      const language = LANGUAGES.find((name) => page.includes(`<html lang="${name}"`)) ?? DEFAULT_LANGUAGE;
      return reply
        .headers({ ...NO_STORE, ...PRINT_HEADERS })
        .type('text/html; charset=utf-8')
        .send(withPrintBar(page, language));
    },
  );

  app.get('/console/api/self-test/card', { config: { role: 'technician' } }, async (_request, reply) => {
    const { qrPath } = await import('../../../drivers/display/qr-svg.ts');
    const { size, path } = qrPath(CARD);
    return reply
      .headers({ ...NO_STORE, ...PRINT_HEADERS })
      .type('image/svg+xml')
      .send(
        `<svg xmlns="http://www.w3.org/2000/svg" width="70mm" height="70mm" viewBox="0 0 ${size} ${size}"><path d="${path}"/></svg>`,
      );
  });
}
