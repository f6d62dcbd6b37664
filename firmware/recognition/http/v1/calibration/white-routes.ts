/** A white place of the tray that tells the lamp's colour: named, told and forgotten. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { HttpFailure } from '../../../../http/failure.ts';
import type { TypeBoxProvider } from '../../../../http/server.ts';
import { type WhitePlace, WhitePlaceSchema, type WhiteReference } from '../../../calibration/white-reference.ts';
import type { Recognition } from '../../../recognition.ts';
import { AREA_COORDINATES } from '../../../vision/frame.ts';
import { refusals } from '../problem.ts';

const WRITING = ['Internal.StorageFull', 'Internal.StorageRefused'] as const;
const EXAMPLE = Object.freeze({ left: 30, top: 30, width: 60, height: 60 });
const level = (description: string) => Type.Integer({ description: `${description}, 0 to 255` });

const White = Type.Object(
  {
    white: Type.Union([
      Type.Object(
        {
          at: Type.String({ format: 'date-time', description: 'when it was named, by the clock of the device, UTC' }),
          place: WhitePlaceSchema,
          colour: Type.Object(
            { red: level('how red'), green: level('how green'), blue: level('how blue') },
            { description: 'as the camera saw it then: pictures are brought to the light of that moment' },
          ),
        },
        { title: 'NamedWhite' },
      ),
      Type.Null(),
    ]),
  },
  {
    title: 'WhiteReference',
    description: 'the white place; null where none was named, and pictures are taken as they are',
    examples: [
      { white: { at: '2026-11-21T08:00:00.000Z', place: EXAMPLE, colour: { red: 214, green: 212, blue: 205 } } },
    ],
  },
);

function answerOf({ white }: WhiteReference): Static<typeof White> {
  if (white === null) return { white: null };
  const [red, green, blue] = white.colour;
  return { white: { at: new Date(white.at).toISOString(), place: white.place, colour: { red, green, blue } } };
}

/** What the schema cannot say. @throws {HttpFailure} `parameter` */
function withinFrame(place: WhitePlace): WhitePlace {
  const { width, height } = AREA_COORDINATES;
  const wrong = place.left + place.width > width ? 'width' : place.top + place.height > height ? 'height' : null;
  if (wrong === null) return place;
  throw new HttpFailure('parameter', `${wrong} reaches beyond the frame of ${width}×${height} pixels`, {
    field: wrong,
  });
}

export function addWhiteReference(plain: FastifyInstance, { white }: Recognition): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/v1/white-reference',
    {
      schema: {
        operationId: 'getWhiteReference',
        tags: ['device'],
        summary: 'The white place of the tray',
        description: 'Without it everything works, and the colour of the lamp stays in what is learned and recognised.',
        response: { 200: White },
      },
    },
    async () => answerOf(white),
  );

  app.put(
    '/v1/white-reference',
    {
      schema: {
        operationId: 'nameWhiteReference',
        tags: ['device'],
        summary: 'Name a white place of the tray',
        description:
          'A white sticker in a corner where nothing is laid, in the light of every day: from then on the lamp’s colour is taken out of what is learned and recognised. Learn the empty tray with the sticker on it, too. While something lies on it, or it is dark or burnt out, pictures are taken as they are.',
        body: WhitePlaceSchema,
        response: {
          200: White,
          ...refusals('Calibration.WhiteUnusable', ...(['Camera.NoPicture', 'Camera.Lost'] as const), ...WRITING),
        },
      },
    },
    async ({ body }) => {
      await white.learn(withinFrame(body));
      return answerOf(white);
    },
  );

  app.delete(
    '/v1/white-reference',
    {
      schema: {
        operationId: 'forgetWhiteReference',
        tags: ['device'],
        summary: 'Forget the white place',
        description: 'Pictures are taken as they are again.',
        response: { 200: White, ...refusals(...WRITING) },
      },
    },
    async () => {
      await white.forget();
      return answerOf(white);
    },
  );
}
