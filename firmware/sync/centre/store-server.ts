/** The master's message server with its configuration: certificate, port, and the keys of those that may connect. */
import { createServer } from 'node:net';
import { isEverywhere } from '../../core/config/index.ts';
import { withFailureCodes } from '../../recognition/index.ts';
import type { OwnDevice } from '../own-device.ts';
import { makeKey } from '../pairing.ts';
import type { ConnectRequest } from './connect.ts';
import { type MessageServer, NatsServer, type OpenServer } from './server.ts';
import { type MasterCertificate, openMasterCertificate, serverConfig } from './server-config.ts';
import { inboxOf } from './subjects.ts';

/** Default of `storageMb`: room of the templates at the centre, MiB. */
const STORAGE_MB = 4096;
/** Default of `program`, found in PATH. */
const PROGRAM = 'nats-server';

export interface StoreServerTuning {
  /** Room of the templates at the centre, MiB. */
  readonly storageMb?: number;
  /** Name or path of the message server. */
  readonly program?: string;
  /** Opens the message server; left out, `nats-server` as a process. */
  readonly openServer?: OpenServer;
}

/** The paired devices, and the secret with which another can be paired now. */
export type StoreMembers = Pick<Parameters<typeof serverConfig>[0], 'devices' | 'pairingSecret'>;

async function freePort(host: string): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, host, resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

export class StoreServer {
  /** Room of the templates at the centre, MiB. */
  readonly storageMb: number;
  readonly #device: OwnDevice;
  /** Folder of everything that the server stores. */
  readonly #folder: string;
  readonly #members: () => StoreMembers;
  readonly #server: MessageServer;
  #certificate: MasterCertificate = { certificate: '', problem: null };
  #masterKey = { seed: '', key: '' };
  /** Key of this device as a member: it synchronises with the centre as each other device does. */
  #memberKey = { seed: '', key: '' };
  #port = 0;
  #isStarted = false;

  constructor(device: OwnDevice, folder: string, members: () => StoreMembers, tuning: StoreServerTuning) {
    const { program = PROGRAM, openServer = (...settings) => new NatsServer(...settings, process.env.MASTER_SOCKET) } =
      tuning;
    this.storageMb = tuning.storageMb ?? STORAGE_MB;
    this.#device = device;
    this.#folder = folder;
    this.#members = members;
    // one address in `sync.host` also admits devices behind a router
    this.#server = openServer(program, folder, !isEverywhere(device.config.host), device.log);
  }

  get port(): number {
    return this.#port;
  }

  get pid(): number | null {
    return this.#server.pid;
  }

  /** In PEM; empty before the start. */
  get certificate(): string {
    return this.#certificate.certificate;
  }

  /** Why the server does not run, or what a person must do about its certificate; null when all is well. */
  get problem(): string | null {
    return this.#server.problem ?? this.#certificate.problem;
  }

  /** Starts the server once; what fails before, for example on a full disk, is tried again with the next call. */
  async start(): Promise<void> {
    const { host, port } = this.#device.config;
    if (this.#isStarted) return;
    await this.#server.requireProgram();
    this.#certificate = openMasterCertificate(this.#folder);
    this.#masterKey = await makeKey();
    this.#memberKey = await makeKey();
    this.#port = port === 0 ? await freePort(host) : port;
    await this.configure();
    this.#server.start(this.#port);
    this.#isStarted = true;
  }

  restart(): Promise<void> {
    return this.#server.restart();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** Has the server admit the present members. @throws {RecognitionError} `Internal.StorageFull`, `Internal.StorageRefused` */
  configure(): Promise<void> {
    return withFailureCodes(() => this.#server.configure(this.#configuration()));
  }

  linkOfMaster(): ConnectRequest {
    return this.#linkOf(this.#masterKey.seed, '_INBOX');
  }

  linkOfMember(): ConnectRequest {
    return this.#linkOf(this.#memberKey.seed, inboxOf(this.#device.serial));
  }

  #linkOf(seed: string, inboxPrefix: string): ConnectRequest {
    const { host } = this.#device.config;
    return {
      address: { host: isEverywhere(host) ? '127.0.0.1' : host, port: this.#port },
      certificate: this.#certificate.certificate,
      credential: { kind: 'key', seed },
      inboxPrefix,
    };
  }

  #configuration(): string {
    const { serial, config } = this.#device;
    const { devices, pairingSecret } = this.#members();
    return serverConfig({
      serial,
      host: config.host,
      folder: this.#folder,
      storageMb: this.storageMb,
      port: this.#port,
      masterKey: this.#masterKey.key,
      devices: [{ serial, key: this.#memberKey.key }, ...devices],
      pairingSecret,
    });
  }
}
