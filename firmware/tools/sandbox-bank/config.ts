/** Configuration of the sandbox bank. */
import Type from 'typebox';
import { type ConfigPart, closed, host, port } from '../../core/config/index.ts';

/** Default port of the sandbox bank. */
export const SANDBOX_PORT = 1280;

const SandboxBankConfig = Type.Object(
  {
    enabled: Type.Boolean({
      default: true,
      description: 'whether the sandbox bank runs; never on a lane that sells',
    }),
    host: host('127.0.0.1'),
    port: port(SANDBOX_PORT),
  },
  closed,
);

export const SANDBOX_BANK_CONFIG: ConfigPart<typeof SandboxBankConfig> = {
  key: 'sandboxBank',
  after: 'gpio',
  schema: SandboxBankConfig,
  listens: ({ enabled }) => enabled,
};
