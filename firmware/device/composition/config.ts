/** The configuration of a whole device: the keys of the core, and those that its parts bring, in the order of documents. */
import type { BanksConfig } from '../../banks/index.ts';
import { type Config, Configuration } from '../../core/config/index.ts';
import type { ApiConfig } from '../../core/http/index.ts';
import type { TlsConfig } from '../../core/tls/index.ts';
import { FEATURES } from '../../features.ts';
import type { TerminalConfig } from '../../payments/index.ts';
import type { CameraConfig, GpioConfig, ModelConfig, RecognitionConfig } from '../../recognition/index.ts';
import type { SyncConfig } from '../../sync/index.ts';

/** What every device has; `configOf` gives the values of features. */
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
  import('../../payments/model/config.ts').then((own) => [own.TERMINAL_CONFIG]),
  import('../../recognition/config.ts').then((own) => own.RECOGNITION_CONFIGS),
  import('../../banks/config.ts').then((own) => [own.BANKS_CONFIG]),
  import('../../sync/config.ts').then((own) => [own.SYNC_CONFIG]),
  import('../../core/http/guard/config.ts').then((own) => [own.API_CONFIG]),
  import('../../core/tls/config.ts').then((own) => [own.TLS_CONFIG]),
  import('../../tools/sandbox-bank/config.ts').then((own) => [own.SANDBOX_BANK_CONFIG]),
  ...FEATURES.map(async ({ config }) => (await config?.()) ?? []),
]);

export const CONFIGURATION = new Configuration<WholeConfig>(loaded.flat());

/**
 * Loads it from a JSON file, if any, and from variables of the environment.
 * @throws {ConfigError} with every problem, except unknown keys
 */
export const loadConfig = (file: string | null, env: NodeJS.ProcessEnv) => CONFIGURATION.load(file, env);
