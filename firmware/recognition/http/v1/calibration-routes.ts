/** The tray is measured with a printed sheet: the sheet itself, and what was measured. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { TypeBoxProvider } from '../../../http/index.ts';
import { maybe } from '../../../store/index.ts';
import { RULER_MM, sheetPage } from '../../calibration/sheet.ts';
import type { CalibrationReport } from '../../calibration/tray-calibration.ts';
import type { Recognition } from '../../recognition.ts';
import { AreaSchema } from '../../settings.ts';
import { refusals } from './problem.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;
const SHEET_HEADERS = Object.freeze({
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
});
/** An A4 sheet that was printed on A5, and one on A3, with some room. */
const SHORTEST_RULER_MM = 50;
const LONGEST_RULER_MM = 200;

const Body = Type.Object(
  {
    rulerMm: maybe(
      Type.Number({
        minimum: SHORTEST_RULER_MM,
        maximum: LONGEST_RULER_MM,
        description: `how long the line on the print is, in millimetres; ${RULER_MM} when left out, as it is at 100 %`,
      }),
    ),
  },
  { title: 'SheetOnTray', additionalProperties: false, examples: [{ rulerMm: 97 }] },
);

const perCm = (description: string) => Type.Number({ description: `${description}, in a frame of 1280×720` });
const Measured = Type.Object(
  {
    at: Type.String({ format: 'date-time', description: 'when, by the clock of the device, UTC' }),
    pixelsPerCm: Type.Object(
      { across: perCm('to the right'), down: perCm('downwards') },
      { description: 'pixels to a centimetre of the tray, in the middle of the area' },
    ),
    unevenPercent: Type.Number({
      description:
        'by how many per cent the same thing is seen longer at one end of the area than at another: 0 of a camera that looks straight down. Sizes are told with it taken out',
    }),
    rulerMm: Type.Number({ description: 'how long the line on the print was said to be' }),
    area: AreaSchema,
    picture: Type.Object(
      { width: Type.Integer(), height: Type.Integer() },
      { description: 'of the camera, in its own pixels: it holds for pictures of these sides and for that area' },
    ),
  },
  { title: 'MeasuredTray' },
);
const Calibration = Type.Object(
  {
    inUse: Type.Boolean({ description: 'whether sizes are told' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why they are not; null where they are' }),
    measured: Type.Union([Measured, Type.Null()]),
  },
  {
    title: 'Calibration',
    description: 'how the tray was measured',
    examples: [
      {
        inUse: true,
        reason: null,
        measured: {
          at: '2026-11-21T08:00:00.000Z',
          pixelsPerCm: { across: 21.4, down: 21.3 },
          unevenPercent: 3.8,
          rulerMm: 97,
          area: { top: 0, left: 280, height: 720, width: 720 },
          picture: { width: 1280, height: 720 },
        },
      },
    ],
  },
);

const answerOf = ({ measured, problem }: CalibrationReport): Static<typeof Calibration> => ({
  inUse: problem === null,
  reason: problem,
  measured: measured && { ...measured, at: new Date(measured.at).toISOString() },
});

export function addCalibration(plain: FastifyInstance, { calibration }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();
  addSheet(plain);

  app.get(
    '/console/api/calibration',
    {
      schema: {
        operationId: 'getCalibration',
        tags: ['device'],
        summary: 'How the tray was measured',
        description: 'Without it everything works, but sizes are not told.',
        response: { 200: Calibration },
      },
    },
    async () => answerOf(calibration.report),
  );

  app.post(
    '/console/api/calibration',
    {
      schema: {
        operationId: 'calibrate',
        tags: ['device'],
        summary: 'Measure the tray with the sheet that lies on it',
        description:
          'Looks for the printed sheet in the newest picture. From then on things are told with their size. To be done again when the camera, its pictures or the area were changed. Sent twice it measures twice, which does no harm.',
        body: Body,
        response: {
          200: Calibration,
          ...refusals(
            ...([
              'Calibration.SheetNotFound',
              'Calibration.SheetIncomplete',
              'Calibration.SheetNotFlat',
              'Calibration.TooSlanted',
            ] as const),
            ...(['Camera.NoPicture', 'Camera.Lost'] as const),
            ...WRITING,
          ),
        },
      },
    },
    async ({ body }) => {
      await calibration.measure(body.rulerMm ?? RULER_MM);
      return answerOf(calibration.report);
    },
  );

  app.delete(
    '/console/api/calibration',
    {
      schema: {
        operationId: 'forgetCalibration',
        tags: ['device'],
        summary: 'Forget how the tray was measured',
        description: 'Sizes are not told any more; those that were learned stay with their templates.',
        response: { 200: Calibration, ...refusals(...WRITING) },
      },
    },
    async () => {
      await calibration.forget();
      return answerOf(calibration.report);
    },
  );
}

function addSheet(plain: FastifyInstance): void {
  const page = sheetPage();
  plain.get(
    '/console/api/calibration/sheet',
    {
      schema: {
        operationId: 'getCalibrationSheet',
        tags: ['device'],
        summary: 'The sheet to measure the tray with',
        description: 'A page to print on A4 at 100 %: open it in a browser.',
        response: {
          200: { description: 'the page', content: { 'text/html': { schema: Type.String() } } },
        },
      },
    },
    async (_request, reply) => reply.headers(SHEET_HEADERS).type('text/html; charset=utf-8').send(page),
  );
}
