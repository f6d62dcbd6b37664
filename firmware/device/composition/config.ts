/** The configuration of a whole device: the keys of the core and of all parts, in the order in which the documents list them. */
import type { BanksConfig } from '../../banks/index.ts';
import { type Config, Configuration } from '../../core/config/index.ts';
import type { ApiConfig } from '../../core/http/index.ts';
import type { TlsConfig } from '../../core/tls/index.ts';
import { FEATURES } from '../../features.ts';
import type { TerminalConfig } from '../../payments/index.ts';
import type { CameraConfig, GpioConfig, ModelConfig, RecognitionConfig } from '../../recognition/index.ts';
import type { SyncConfig } from '../../sync/index.ts';

/** The keys that each device has. Those of features are read by `configOf`. */
export type WholeConfig = Config & {
  readonly terminal: TerminalConfig;
  readonly recognition: RecognitionConfig;
  readonly model: ModelConfig;
  readonly camera: CameraConfig;
  readonly gpio: GpioConfig;
  readonly banks: BanksConfig;
  readonly sync: SyncConfig;
  readonly api: ApiConfig;
  readonly tls: TlsConfig;
};

const loaded = await Promise.all([
  import('../../payments/model/config.ts').then((module) => [module.TERMINAL_CONFIG]),
  import('../../recognition/config.ts').then((module) => module.RECOGNITION_CONFIGS),
  import('../../banks/config.ts').then((module) => [module.BANKS_CONFIG]),
  import('../../sync/config.ts').then((module) => [module.SYNC_CONFIG]),
  import('../../core/http/guard/config.ts').then((module) => [module.API_CONFIG]),
  import('../../core/tls/config.ts').then((module) => [module.TLS_CONFIG]),
  import('../../tools/sandbox-bank/config.ts').then((module) => [module.SANDBOX_BANK_CONFIG]),
  ...FEATURES.map(async ({ config }) => (await config?.()) ?? []),
]);

export const CONFIGURATION = new Configuration<WholeConfig>(loaded.flat());

/**
 * Loads the configuration from a JSON file, if any, and from variables of the environment.
 * @throws {ConfigError} with all problems, except unknown keys
 */
export const loadConfig = (file: string | null, env: NodeJS.ProcessEnv) => CONFIGURATION.load(file, env);
