/** The configuration of a whole device: the keys of the core, and those that features and the sandbox bank bring. */
import { Configuration } from '../../core/config/index.ts';
import { FEATURES } from '../../features.ts';
import { sandboxBank } from './build-sandbox.ts';

const parts = [sandboxBank, ...FEATURES];
const loaded = await Promise.all(parts.flatMap(({ config }) => (config === undefined ? [] : [config()])));

export const CONFIGURATION = new Configuration(loaded.flat());

/**
 * Loads it from a JSON file, if any, and from variables of the environment.
 * @throws {ConfigError} with every problem, except unknown keys
 */
export const loadConfig = (file: string | null, env: NodeJS.ProcessEnv) => CONFIGURATION.load(file, env);
