/** The calls about the machine itself: reboot, factory reset, and what a store wants to know it by. */
import type { FastifyInstance } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Host } from '../../host/index.ts';
import type { TypeBoxProvider } from '../../http/index.ts';
import { JsonStore } from '../../store/index.ts';
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
      description: 'what the store says of the device, kept as sent',
    }),
  },
  { additionalProperties: false },
);
const EXTRA_EXAMPLE = { info: 'shop 12, lane 3' };
type ExtraInfo = Static<typeof ExtraInfoSchema>;

/** Free text that the store keeps on the device about it: a shop, a lane. */
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
  addPower(plain, host);
  addExtraInfo(plain, extra);
}

function addPower(plain: FastifyInstance, host: Host): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/api/reboot',
    {
      schema: {
        operationId: 'reboot',
        tags: ['original device: device'],
        summary: 'Reboot the device',
        description: 'Answered before the device goes down. Refused where it is not installed as a lane.',
        response: answers(Done),
      },
    },
    async () => await asked(() => host.reboot()),
  );

  app.post(
    '/api/factory_reset',
    {
      schema: {
        operationId: 'factoryReset',
        tags: ['original device: device'],
        summary: 'Forget everything and start as new; refused during an update',
        description:
          'Templates, settings and secrets are gone; the records of payments and the audit trail are put aside on its disk. Refused where the device is not installed as a lane.',
        response: answers(Done),
      },
    },
    async () => await asked(() => host.factoryReset()),
  );
}

function addExtraInfo(plain: FastifyInstance, extra: ExtraInfoStore): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.get(
    '/api/get_extra_info',
    {
      schema: {
        operationId: 'getExtraInfo',
        tags: ['original device: device'],
        summary: 'What the store said of the device',
        description: 'As set; empty until then.',
        response: answers(answerOf(ExtraInfoSchema, 'CurrentExtraInfo', EXTRA_EXAMPLE)),
      },
    },
    async () => ({ code: CODES.ok, data: extra.value }),
  );

  app.post(
    '/api/set_extra_info',
    {
      schema: {
        operationId: 'setExtraInfo',
        tags: ['original device: device'],
        summary: 'Say what the store says of the device',
        description: 'A shop, a lane: any text that identifies the device.',
        body: Type.Object(ExtraInfoSchema.properties, { title: 'ExtraInfo', examples: [EXTRA_EXAMPLE] }),
        response: answers(Done),
      },
    },
    async (request) => {
      await extra.set(request.body);
      return DONE;
    },
  );
}
