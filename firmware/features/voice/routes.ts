/** The calls of the voice: its settings, "say it again", a trial, and what pages fetch to play it. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import { HttpFailure, NO_STORE, problemsOf } from '../../core/http/index.ts';
import { orNull } from '../../core/schema/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';
import { VOICE_ERRORS } from './error-records.ts';
import { SOUNDING_PAGES, type SoundingPage } from './page-sounds.ts';
import type { VoiceService } from './service.ts';
import { DEFAULT_VOICE, VOICE_FIELDS, VoiceChanges } from './settings.ts';

/** At which pages fetch the newest sound. */
export const SOUND_PATH = '/console/api/voice/sound';

const SAID_EXAMPLE = Object.freeze({
  payment: '7c0f4b1e-2d5a-86b3-9e41-0a8d53c7f219',
  amount: 12345,
  test: true,
});
const Said = Type.Object(
  {
    payment: Type.String({ description: '`id` of the payment' }),
    amount: Type.Integer({ description: 'kopecks' }),
    test: Type.Boolean({ description: 'no money moves: “test” is said first' }),
  },
  { title: 'SaidPayment', examples: [SAID_EXAMPLE] },
);

const VoiceAnswer = Type.Object(
  {
    ...VOICE_FIELDS,
    speakers: Type.Array(Type.Object({ name: Type.String(), title: Type.String() }, { title: 'Speaker' }), {
      description: 'sound cards of this device that play: `name` is for `device`',
    }),
    last: orNull(Said, 'what can be said again: the last payment, for three minutes after its acceptance; null: none'),
  },
  {
    title: 'Voice',
    description: 'how the device announces payments',
    examples: [
      {
        ...DEFAULT_VOICE,
        speakers: [{ name: 'plughw:CARD=Headphones,DEV=0', title: 'bcm2835 Headphones' }],
        last: null,
      },
    ],
  },
);

const TrialAnswer = Type.Object(
  {
    heard: Type.Enum(['speaker', 'pages', 'nowhere'], {
      description: 'speaker: it was played to its end. pages: an open page plays it. nowhere: `problem` says why',
    }),
    problem: orNull(
      Type.Object(
        {
          code: Type.String({ description: 'of a reason in `/health`' }),
          text: Type.String({ description: 'in English' }),
        },
        { title: 'VoiceProblem' },
      ),
      'what is wrong',
    ),
  },
  { title: 'VoiceTrial', description: 'how a trial went', examples: [{ heard: 'speaker', problem: null }] },
);

const saidOf = ({ orderId, kopecks, isTest }: NonNullable<VoiceService['announcer']['last']>): Static<typeof Said> => ({
  payment: orderId,
  amount: kopecks,
  test: isTest,
});

function answerOf({ settings, speakers, announcer: { last } }: VoiceService): Static<typeof VoiceAnswer> {
  return { ...settings, speakers, last: last === null ? null : saidOf(last) };
}

/** The calls on both ports. */
export function addVoiceRoutes(app: FastifyInstance, voice: VoiceService): void {
  app.get(
    '/v1/voice',
    {
      config: { role: 'till' },
      schema: {
        operationId: 'readVoice',
        tags: ['device'],
        summary: 'How the device announces payments',
        description: 'Its settings, the sound cards that it has found, and what can be said again.',
        response: { 200: VoiceAnswer },
      },
    },
    async () => answerOf(voice),
  );

  app.patch(
    '/v1/voice',
    {
      config: {
        role: 'technician',
        audit: { event: 'voice-set', fields: ['mode', 'volume', 'language', 'device', 'recordings', 'button'] },
      },
      schema: {
        operationId: 'changeVoice',
        tags: ['device'],
        summary: 'Change how the device announces payments',
        description: 'Fields that are left out stay as they are.',
        body: VoiceChanges,
        response: { 200: VoiceAnswer },
      },
    },
    async ({ body }) => {
      const problem = await voice.recordingsProblem(body);
      if (problem !== null)
        throw new HttpFailure('parameter', `recordings cannot be used: ${problem}`, { field: 'recordings' });
      await withFailureCodes(() => voice.set(body));
      return answerOf(voice);
    },
  );

  app.post(
    '/v1/voice/again',
    {
      config: { role: 'till', audit: null }, // nothing changes
      schema: {
        operationId: 'sayAgain',
        tags: ['device'],
        summary: 'Repeat the announcement of the last payment',
        description:
          'Within three minutes of its acceptance. The voice is no proof of a payment: the screen of the till is.',
        response: { 200: Said, ...problemsOf(VOICE_ERRORS, ['Voice.Off', 'Voice.NothingToSay']) },
      },
    },
    async () => saidOf(voice.again()),
  );

  app.post(
    '/v1/voice/try',
    {
      config: { role: 'technician', audit: null }, // nothing changes
      schema: {
        operationId: 'tryVoice',
        tags: ['device'],
        summary: 'Try the voice',
        description: 'Says “test” and a sum, where the voice is off, too. Answers when it was played.',
        response: { 200: TrialAnswer },
      },
    },
    async () => {
      const { heard, problem } = await voice.try();
      return { heard, problem: problem === null ? null : { code: problem.code, text: String(problem) } };
    },
  );
}

const PageBody = Type.Object(
  {
    id: Type.String({ minLength: 8, maxLength: 64, description: 'one for each window' }),
    page: Type.Enum([...SOUNDING_PAGES], { description: 'which page is open' }),
    plays: Type.Boolean({ description: 'its browser lets it play' }),
  },
  { additionalProperties: false, examples: [{ id: 'b8f3a1c2', page: 'display', plays: false }] },
);
const SoundQuery = Type.Object({
  number: Type.Optional(Type.Integer({ description: 'of the sound in the event of the page; without: the newest' })),
});
const Noted = Type.Object({ noted: Type.Literal(true) });

/** The calls of the pages that play it. */
export function addPageSoundRoutes(app: FastifyInstance, voice: VoiceService): void {
  app.get(
    SOUND_PATH,
    { config: { role: 'till', isForCustomers: true }, schema: { querystring: SoundQuery } },
    async ({ query }, reply) =>
      reply
        .headers(NO_STORE)
        .type('audio/wav')
        .send(voice.wavOf(query.number ?? null)),
  );
  app.post<{ Body: SoundingPage }>(
    SOUND_PATH,
    {
      config: { role: 'till', isForCustomers: true, audit: null },
      schema: { body: PageBody, response: { 200: Noted } },
    },
    async ({ body }) => {
      voice.pages.report(body);
      return { noted: true as const };
    },
  );
}
