/** The calls about the machine itself: reboot, factory reset, and what a store wants to know it by. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Host } from '../../host/host.ts';
import type { TypeBoxProvider } from '../../http/server.ts';
import { JsonStore } from '../../store/json-store.ts';
import { CODES } from '../codes.ts';
import { withFailureCodes } from '../failures.ts';
import { answers, DONE } from './requests.ts';
import { answerOf, Done } from './schemas.ts';

/** Room for an address or a number of the trading place, not for a file. */
const MAX_EXTRA_CHARACTERS = 1000;

const ExtraInfoSchema = Type.Object(
  {
    info: Type.String({
      maxLength: MAX_EXTRA_CHARACTERS,
      description: 'what the store tells the device about itself, kept as sent',
    }),
  },
  { additionalProperties: false },
);
type ExtraInfo = Static<typeof ExtraInfoSchema>;

/** What the store has written into the device about itself: a shop, a lane, whatever it likes. */
export class ExtraInfoStore {
  readonly #store: JsonStore<ExtraInfo>;

  constructor(path: string) {
    this.#store = JsonStore.open(path, ExtraInfoSchema, { info: '' });
  }

  get value(): ExtraInfo {
    return this.#store.value;
  }

  /** @throws {RecognitionError} `storageFull`, `fileWrite`; nothing has changed then */
  async set(value: ExtraInfo): Promise<void> {
    await withFailureCodes(() => this.#store.replace(value));
  }
}

async function asked(call: () => Promise<void>): Promise<typeof DONE> {
  await withFailureCodes(call);
  return DONE;
}

export function addSystemRoutes(plain: FastifyInstance, host: Host, extra: ExtraInfoStore): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/api/reboot',
    { schema: { summary: 'Start the whole device anew', response: answers(Done) } },
    async () => await asked(() => host.reboot()),
  );

  app.post(
    '/api/factory_reset',
    { schema: { summary: 'Forget everything and start as new; refused during an update', response: answers(Done) } },
    async () => await asked(() => host.factoryReset()),
  );

  app.get(
    '/api/get_extra_info',
    {
      schema: { summary: 'What the store told the device about itself', response: answers(answerOf(ExtraInfoSchema)) },
    },
    async () => ({ code: CODES.ok, data: extra.value }),
  );

  app.post(
    '/api/set_extra_info',
    {
      schema: {
        summary: 'Tell the device about its store',
        body: Type.Object(ExtraInfoSchema.properties),
        response: answers(Done),
      },
    },
    async (request) => {
      await extra.set(request.body);
      return DONE;
    },
  );
}
