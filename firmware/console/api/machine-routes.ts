/** The calls by which a technician sees what the machine is, and has it updated, gone back, restarted and reset. */
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { DeviceRefusal, type Host } from '../../host/index.ts';
import type { TypeBoxProvider } from '../../http/index.ts';
import { refusals } from '../../recognition/index.ts';
import { type MachineParts, MachineSchema, machineView } from './machine-view.ts';

const NO_STORE = { 'cache-control': 'no-store' } as const;
const Begun = Type.Object(
  { begun: Type.Literal(true) },
  { title: 'Begun', description: 'it has begun, and goes on by itself', examples: [{ begun: true }] },
);
const BEGUN = Object.freeze({ begun: true } as const);
const SYSTEM = ['Device.NotManaged', 'Device.NotPermitted', 'Device.SystemFailed'] as const;
const ResetBody = Type.Object(
  {
    name: Type.String({ maxLength: 128, description: '`name` of `GET /console/api/device`, as a person has typed it' }),
  },
  { title: 'WantedReset', additionalProperties: false, examples: [{ name: 'LW000042' }] },
);

export function addMachineRoutes(plain: FastifyInstance, host: Host, parts: MachineParts): void {
  plain.withTypeProvider<TypeBoxProvider>().get(
    '/console/api/device',
    {
      schema: {
        operationId: 'getDevice',
        tags: ['device'],
        summary: 'The release, the clock and the modes of the device',
        description: 'And whether it may update, restart and reset the machine that it runs on.',
        response: { 200: MachineSchema },
      },
    },
    async (_request, reply) => {
      reply.headers(NO_STORE);
      return machineView(parts, host.isManaged);
    },
  );
  addReleases(plain, host, parts);
  addPower(plain, host, parts);
}

function addReleases(plain: FastifyInstance, host: Host, { board }: MachineParts): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/console/api/device/update',
    {
      schema: {
        operationId: 'lookForUpdate',
        tags: ['device'],
        summary: 'Look for a release now, and install it where there is a newer one',
        description:
          'At any hour of the shop; it waits for open payments. A release that does not prove itself is undone. `GET /console/api/device` returns the progress; asked twice, it runs once.',
        response: { 200: Begun, ...refusals(...SYSTEM, 'Device.UpdateRuns') },
      },
    },
    async () => {
      await host.update();
      return BEGUN;
    },
  );

  app.post(
    '/console/api/device/rollback',
    {
      schema: {
        operationId: 'rollBack',
        tags: ['device'],
        summary: 'Go back to the release before this one',
        description:
          'It waits for open payments. The release that is left is not installed again by itself; there is then nothing before it to go back to.',
        response: { 200: Begun, ...refusals(...SYSTEM, 'Device.UpdateRuns', 'Device.NoReleaseBefore') },
      },
    },
    async () => {
      if (host.isManaged && (board.update?.previous ?? null) === null)
        throw new DeviceRefusal('NoReleaseBefore', 'there is no release before this one on this device');
      await host.rollBack();
      return BEGUN;
    },
  );
}

function addPower(plain: FastifyInstance, host: Host, { name }: MachineParts): void {
  const app = plain.withTypeProvider<TypeBoxProvider>();

  app.post(
    '/console/api/device/reboot',
    {
      schema: {
        operationId: 'rebootDevice',
        tags: ['device'],
        summary: 'Start the whole machine anew',
        description: 'Answered before it goes down.',
        response: { 200: Begun, ...refusals(...SYSTEM) },
      },
    },
    async () => {
      await host.reboot();
      return BEGUN;
    },
  );

  app.post(
    '/console/api/device/reset',
    {
      schema: {
        operationId: 'resetDevice',
        tags: ['device'],
        summary: 'Reset the device to its state at delivery',
        description:
          'What it has learned, its settings and its secrets are gone. The records of payments and the audit trail are put aside on its disk, and are not lost. A person types the name of the device first.',
        body: ResetBody,
        response: { 200: Begun, ...refusals(...SYSTEM, 'Device.UpdateRuns', 'Device.WrongName') },
      },
    },
    async ({ body }) => {
      if (body.name.trim() !== name)
        throw new DeviceRefusal('WrongName', 'that is not the name of this device: nothing was changed');
      await host.factoryReset();
      return BEGUN;
    },
  );
}
