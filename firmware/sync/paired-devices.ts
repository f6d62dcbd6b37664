/** Who may take part: the public keys of the paired devices. The master holds nobody's secret. */
import Type, { type Static } from 'typebox';
import { storing } from '../recognition/storage-errors.ts';
import { JsonStore } from '../store/json-store.ts';

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

  constructor(path: string) {
    this.#store = JsonStore.open(path, DevicesSchema, []);
  }

  get all(): readonly PairedDevice[] {
    return this.#store.value;
  }

  find(serial: string): PairedDevice | undefined {
    return this.all.find((device) => device.serial === serial);
  }

  /** The device of a serial number is this one from now on. */
  async add(device: PairedDevice): Promise<void> {
    const others = this.all.filter(({ serial }) => serial !== device.serial);
    await storing(() => this.#store.replace([...others, device]));
  }

  /** False where it was not paired. */
  async remove(serial: string): Promise<boolean> {
    const rest = this.all.filter((device) => device.serial !== serial);
    if (rest.length === this.all.length) return false;
    await storing(() => this.#store.replace(rest));
    return true;
  }
}
