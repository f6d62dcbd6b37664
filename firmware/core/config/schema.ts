/** The one schema of the configuration: defaults, limits, documentation. Each part has a file of its own. */
import Type, { type Static } from 'typebox';
import { closed, nullable } from './kinds.ts';
import { ApiConfig, ChainConfig, SyncConfig, TlsConfig } from './network.ts';
import { CameraConfig, GpioConfig, ModelConfig, RecognitionConfig } from './recognition.ts';
import { BanksConfig, SandboxBankConfig, TerminalConfig } from './terminal.ts';

export const ConfigSchema = Type.Object(
  {
    dataDir: Type.String({
      default: '.laneware',
      minLength: 1,
      description: 'folder of everything that the device keeps',
    }),
    serial: nullable(Type.String({ minLength: 1, maxLength: 64 }), {
      default: null,
      description: "the device's serial number; null reads it from the board",
    }),
    terminal: TerminalConfig,
    recognition: RecognitionConfig,
    model: ModelConfig,
    camera: CameraConfig,
    gpio: GpioConfig,
    sandboxBank: SandboxBankConfig,
    banks: BanksConfig,
    sync: SyncConfig,
    chain: ChainConfig,
    api: ApiConfig,
    tls: TlsConfig,
    log: Type.Object(
      {
        level: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
          default: 'info',
          description: 'least severity that is logged',
        }),
      },
      closed,
    ),
  },
  closed,
);

export type Config = Static<typeof ConfigSchema>;
