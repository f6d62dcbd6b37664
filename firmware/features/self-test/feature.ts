import type { Feature } from '../feature.ts';

export const selfTest: Feature = {
  name: 'self-test',
  open: async ({ config, serial, dataDir, logOf, ...lane }) => {
    const [{ addSelfTestRoutes }, { configOf }, { GPIO_CONFIG }] = await Promise.all([
      import('./routes.ts'),
      import('../../core/config/index.ts'),
      import('../../recognition/index.ts'),
    ]);
    const options = {
      ...lane,
      device: serial,
      gpio: configOf(GPIO_CONFIG, config),
      folder: dataDir.path,
      path: dataDir.file('self-test.json'),
      log: logOf('device'),
    };
    return { addRoutes: (app) => addSelfTestRoutes(app, options) };
  },
  command: { words: ['selftest'], load: async () => (await import('./command.ts')).addSelfTest },
};
