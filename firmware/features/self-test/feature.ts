import type { Feature } from '../feature.ts';

export const selfTest: Feature = {
  name: 'self-test',
  open: async ({ config, serial, dataDir, logOf, ...lane }) => {
    const { addSelfTestRoutes } = await import('./routes.ts');
    const options = {
      ...lane,
      device: serial,
      gpio: config.gpio,
      folder: dataDir.path,
      path: dataDir.file('self-test.json'),
      log: logOf('device'),
    };
    return { addRoutes: (app) => addSelfTestRoutes(app, options) };
  },
  command: { words: ['selftest'], load: async () => (await import('./command.ts')).addSelfTest },
};
