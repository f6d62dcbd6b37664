/** Stores whether a technician opened the device to the network on the page: this choice overrides the configuration. */
import Type, { type Static } from 'typebox';
import { type Config, isLoopbackHost } from '../config/index.ts';
import { JsonStore } from '../files/index.ts';
import { degradedBy, type HealthBoard, WELL } from '../host/index.ts';
import type { ApiConfig } from '../http/index.ts';
import { reasonOf } from './records.ts';

const Schema = Type.Object({ open: Type.Union([Type.Boolean(), Type.Null()]) });

type Networked = Config & { readonly api: ApiConfig };

const EVERYWHERE = '0.0.0.0';
const THIS_MACHINE = '127.0.0.1';

const PORTS = ['terminal', 'recognition'] as const;

/** Whether both ports are as chosen: a device with one open port is neither open nor closed. */
export const isNetworkAs = (config: Config, open: boolean): boolean =>
  PORTS.every((which) => isLoopbackHost(config[which].host) !== open);

/** @template Whole the configuration with the keys of all parts of the device */
export class NetworkChoice<Whole extends Networked = Networked> {
  readonly #store: JsonStore<Static<typeof Schema>>;
  readonly #configured: Whole;
  /** Whether the stored choice is lost. It may have been "closed", so no configuration opens the device then. */
  #isLost: boolean;

  constructor(path: string, configured: Whole) {
    this.#store = JsonStore.open(path, Schema, { open: null });
    this.#configured = configured;
    this.#isLost = this.#store.found === 'lost';
  }

  /** @throws the file system's error: nothing has changed then */
  store(open: boolean): void {
    this.#store.write({ open });
    this.#isLost = false;
  }

  watch(health: HealthBoard): void {
    health.add('network', () => (this.#isLost ? degradedBy(reasonOf('network-lost', {})) : WELL));
  }

  /** The configuration in force from the next start. */
  get config(): Whole {
    return this.configWith(this.#isLost ? false : this.#store.value.open);
  }

  /**
   * The configuration with a choice applied. A device opened this way always asks for a token, and a code on the display
   * makes the first one.
   */
  configWith(open: boolean | null): Whole {
    const configured = this.#configured;
    if (open === null) return configured;
    const hosted = <Server extends { readonly host: string }>(server: Server): Server => {
      if (isLoopbackHost(server.host) !== open) return server;
      return { ...server, host: open ? EVERYWHERE : THIS_MACHINE };
    };
    const opens = open && !isNetworkAs(configured, true);
    return {
      ...configured,
      terminal: hosted(configured.terminal),
      recognition: hosted(configured.recognition),
      api: opens ? { ...configured.api, claim: true } : configured.api,
    };
  }
}
