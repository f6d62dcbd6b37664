/** Whether the device is open to the network, as a technician has pressed on the page: it counts more than the configuration. */
import Type, { type Static } from 'typebox';
import { type Config, isLoopbackHost } from '../config/index.ts';
import { JsonStore } from '../store/index.ts';

const Schema = Type.Object({ open: Type.Union([Type.Boolean(), Type.Null()]) });

const EVERYWHERE = '0.0.0.0';
const THIS_MACHINE = '127.0.0.1';

export class NetworkChoice {
  readonly #store: JsonStore<Static<typeof Schema>>;

  constructor(path: string) {
    this.#store = JsonStore.open(path, Schema, { open: null });
  }

  /** @throws the file system's error: nothing has changed then */
  keep(open: boolean): void {
    this.#store.write({ open });
  }

  /** What is in force from the next start. One that is opened so always asks for a token, and a code on the display makes the first. */
  appliedTo(config: Config): Config {
    const { open } = this.#store.value;
    if (open === null) return config;
    const hosted = <Server extends { readonly host: string }>(server: Server): Server => {
      if (isLoopbackHost(server.host) !== open) return server;
      return { ...server, host: open ? EVERYWHERE : THIS_MACHINE };
    };
    const isOpened = open && isLoopbackHost(config.recognition.host);
    return {
      ...config,
      terminal: hosted(config.terminal),
      recognition: hosted(config.recognition),
      api: isOpened ? { ...config.api, claim: true } : config.api,
    };
  }
}
