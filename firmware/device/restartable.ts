/** A device that can be started anew in the process that it runs in: one that was started by hand is restarted by no other program. */
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { type Device, startDevice } from './device.ts';

type StartArguments = Parameters<typeof startDevice>;

export class Restartable {
  readonly #arguments: StartArguments;
  /** One end or start at a time: a signal may come in the middle of a restart. */
  readonly #queue = new SerialQueue();
  #device: Device | null = null;
  #isOver = false;

  constructor(...given: StartArguments) {
    this.#arguments = given;
  }

  /** @throws when a port or the data folder is in use */
  start(): Promise<Device> {
    return this.#queue.run(async () => {
      this.#device = await startDevice(...this.#arguments);
      return this.#device;
    });
  }

  /** Nothing, once it has been closed for good. @throws what a start throws */
  restart(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#isOver) return;
      await this.#end();
      this.#device = await startDevice(...this.#arguments);
    });
  }

  close(): Promise<void> {
    this.#isOver = true;
    return this.#queue.run(() => this.#end());
  }

  async #end(): Promise<void> {
    await this.#device?.close();
    this.#device = null;
  }
}
