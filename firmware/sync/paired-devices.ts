/** The public keys of the paired devices. The master holds no device's secret. */
import Type, { type Static } from 'typebox';
import { SerialQueue } from '../../drivers/lib/serial-queue.ts';
import { withFailureCodes } from '../recognition/index.ts';
import { JsonStore } from '../store/index.ts';

const DeviceSchema = Type.Object({
  serial: Type.String({ minLength: 1, maxLength: 64 }),
  deviceId: Type.String({ minLength: 1, maxLength: 64 }),
  /** Public NKey. */
  key: Type.String({ pattern: '^U[A-Z2-7]{55}$' }),
});
export type PairedDevice = Static<typeof DeviceSchema>;
export const PairRequest = DeviceSchema;

const DevicesSchema = Type.Array(DeviceSchema);

export class PairedDevices {
  readonly #store: JsonStore<PairedDevice[]>;
  readonly #changes = new SerialQueue();

  constructor(path: string) {
    this.#store = JsonStore.open(path, DevicesSchema, []);
  }

  /** What was wrong with the stored list at start, or null. */
  get problem(): string | null {
    return this.#store.problem;
  }

  get all(): readonly PairedDevice[] {
    return this.#store.value;
  }

  find(serial: string): PairedDevice | undefined {
    return this.all.find((device) => device.serial === serial);
  }

  /** The device of a serial number is this one from now on. */
  async add(device: PairedDevice): Promise<void> {
    await this.#changes.run(async () => {
      const others = this.all.filter(({ serial }) => serial !== device.serial);
      await withFailureCodes(() => this.#store.replace([...others, device]));
    });
  }

  /** False where it was not paired. */
  async remove(serial: string): Promise<boolean> {
    return await this.#changes.run(async () => {
      const rest = this.all.filter((device) => device.serial !== serial);
      if (rest.length === this.all.length) return false;
      await withFailureCodes(() => this.#store.replace(rest));
      return true;
    });
  }
}
