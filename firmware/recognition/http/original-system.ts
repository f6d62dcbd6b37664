/** The calls about the machine itself: reboot, factory reset, and the store's own text about it. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import type { Host } from '../../core/host/index.ts';
import { JsonStore } from '../../core/store/index.ts';
import { withFailureCodes } from '../failures.ts';
import { originalCalls } from './original-calls.ts';
import { answerOf } from './original-schemas.ts';

/** Room for an address or number of the shop, not for a file. */
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

/** @param extraInfo file of free text that the shop keeps on the device, such as its shop and lane */
export function addSystemRoutes(app: FastifyInstance, host: Host, extraInfo: string): void {
  const extra = JsonStore.open(extraInfo, ExtraInfoSchema, { info: '' });
  const { get, post } = originalCalls(app, 'device');
  post('reboot', {
    config: { role: 'technician', audit: { event: 'reboot' } },
    summary: 'Reboot the device',
    description: 'Answered before the device goes down. Refused where it is not installed as a lane.',
    does: () => withFailureCodes(() => host.reboot()),
  });

  post('factory_reset', {
    config: { role: 'technician', audit: { event: 'factory-reset' } },
    summary: 'Forget everything and start as new; refused during an update',
    description:
      'Templates, settings and secrets are gone; the records of payments and the audit trail are put aside on its disk. Refused where the device is not installed as a lane.',
    does: () => withFailureCodes(() => host.factoryReset()),
  });

  get('get_extra_info', {
    config: { role: 'till' },
    summary: 'What the store said of the device',
    description: 'As set; empty until then.',
    answer: answerOf(ExtraInfoSchema, 'CurrentExtraInfo', EXTRA_EXAMPLE),
    does: () => ({ data: extra.value }),
  });

  post('set_extra_info', {
    config: { role: 'technician', audit: { event: 'store-information-set' } },
    summary: 'Say what the store says of the device',
    description: 'A shop, a lane: any text that identifies the device.',
    body: Type.Object(ExtraInfoSchema.properties, { title: 'ExtraInfo', examples: [EXTRA_EXAMPLE] }),
    does: (info) => withFailureCodes(() => extra.write(info)),
  });
}
