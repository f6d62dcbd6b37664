/** Whether the device is open to the network, as a technician has pressed on the page: it counts more than the configuration. */
import Type, { type Static } from 'typebox';
import { type Config, isLoopbackHost } from '../config/index.ts';
import { degraded, type HealthBoard, WELL } from '../host/index.ts';
import { JsonStore } from '../store/index.ts';
import { reasonOf } from './reason-records.ts';

const Schema = Type.Object({ open: Type.Union([Type.Boolean(), Type.Null()]) });

const EVERYWHERE = '0.0.0.0';
const THIS_MACHINE = '127.0.0.1';

const PORTS = ['terminal', 'recognition'] as const;

/** Of both ports: a device of which one port is open is neither open nor closed. */
export const isNetworkAs = (config: Config, open: boolean): boolean =>
  PORTS.every((which) => isLoopbackHost(config[which].host) !== open);

const LOST =
  'whether this device is open to the network was lost, because its file was damaged: it is closed; open it on the page Device, Access';

export class NetworkChoice {
  readonly #store: JsonStore<Static<typeof Schema>>;
  readonly #given: Config;
  /** It may have been "closed": then no configuration opens it. */
  #isLost: boolean;

  constructor(path: string, given: Config) {
    this.#store = JsonStore.open(path, Schema, { open: null });
    this.#given = given;
    this.#isLost = this.#store.found === 'lost';
  }

  /** @throws the file system's error: nothing has changed then */
  keep(open: boolean): void {
    this.#store.write({ open });
    this.#isLost = false;
  }

  watch(health: HealthBoard): void {
    health.add('network', () => (this.#isLost ? degraded(reasonOf('network-lost', {}, LOST)) : WELL));
  }

  /** What is in force from the next start. */
  get config(): Config {
    return this.configWith(this.#isLost ? false : this.#store.value.open);
  }

  /** What such a choice makes of the configuration. One that is opened so always asks for a token, and a code on the display makes the first. */
  configWith(open: boolean | null): Config {
    const given = this.#given;
    if (open === null) return given;
    const hosted = <Server extends { readonly host: string }>(server: Server): Server => {
      if (isLoopbackHost(server.host) !== open) return server;
      return { ...server, host: open ? EVERYWHERE : THIS_MACHINE };
    };
    const opens = open && !isNetworkAs(given, true);
    return {
      ...given,
      terminal: hosted(given.terminal),
      recognition: hosted(given.recognition),
      api: opens ? { ...given.api, claim: true } : given.api,
    };
  }
}
