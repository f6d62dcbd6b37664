/**
 * The objects of a fake `org.bluez`, as `node-ble` sees them: an adapter, one device, its UART service. What they do is in
 * the `Behaviour` they are given. Interfaces and property names: BlueZ, doc/org.bluez.*.rst.
 */
import { DBusError, interface as dbusInterface, type MessageBus, type Variant } from 'dbus-next';

const { Interface } = dbusInterface;

export const ADAPTER_PATH = '/org/bluez/hci0';

/** What the objects ask; a call may reject with a DBusError, or never settle. */
export interface Behaviour {
  readonly address: string;
  readonly name: string;
  /** `6e40` or `6d40`: how this display spells the UART service. */
  readonly spelling: string;
  readonly powered: boolean;
  /** Null for a device that BlueZ only remembers. */
  readonly rssi: number | null;
  readonly mtu: number;
  scan(on: boolean): Promise<void>;
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  write(value: Uint8Array, type: string): Promise<void>;
  notify(on: boolean): Promise<void>;
}

export class AgentManager extends Interface {
  RegisterAgent(): void {}
}
AgentManager.configureMembers({ methods: { RegisterAgent: { inSignature: 'os' } } });

export class Adapter extends Interface {
  readonly #behaviour: Behaviour;
  Discovering = false;

  constructor(behaviour: Behaviour) {
    super('org.bluez.Adapter1');
    this.#behaviour = behaviour;
  }

  get Powered(): boolean {
    return this.#behaviour.powered;
  }

  SetDiscoveryFilter(): void {}

  async StartDiscovery(): Promise<void> {
    await this.#behaviour.scan(true);
    this.Discovering = true;
  }

  async StopDiscovery(): Promise<void> {
    this.Discovering = false;
    await this.#behaviour.scan(false);
  }
}
Adapter.configureMembers({
  properties: { Powered: { signature: 'b', access: 'read' }, Discovering: { signature: 'b', access: 'read' } },
  methods: { SetDiscoveryFilter: { inSignature: 'a{sv}' }, StartDiscovery: {}, StopDiscovery: {} },
});

export class Device extends Interface {
  readonly #behaviour: Behaviour;
  connected = false;

  constructor(behaviour: Behaviour) {
    super('org.bluez.Device1');
    this.#behaviour = behaviour;
  }

  get Name(): string {
    return this.#behaviour.name;
  }

  get Address(): string {
    return this.#behaviour.address;
  }

  get RSSI(): number {
    if (this.#behaviour.rssi === null)
      throw new DBusError('org.freedesktop.DBus.Error.InvalidArgs', 'No such property');
    return this.#behaviour.rssi;
  }

  get Connected(): boolean {
    return this.connected;
  }

  get ServicesResolved(): boolean {
    return this.connected;
  }

  setConnected(connected: boolean): void {
    if (this.connected === connected) return;
    this.connected = connected;
    Interface.emitPropertiesChanged(this, { Connected: connected, ServicesResolved: connected }, []);
  }

  Connect(): Promise<void> {
    return this.#behaviour.connect();
  }

  Disconnect(): Promise<void> {
    return this.#behaviour.disconnect();
  }
}
Device.configureMembers({
  properties: {
    Name: { signature: 's', access: 'read' },
    Address: { signature: 's', access: 'read' },
    RSSI: { signature: 'n', access: 'read' },
    Connected: { signature: 'b', access: 'read' },
    ServicesResolved: { signature: 'b', access: 'read' },
  },
  methods: { Connect: {}, Disconnect: {} },
});

export class Service extends Interface {
  readonly UUID: string;
  readonly Primary = true;

  constructor(uuid: string) {
    super('org.bluez.GattService1');
    this.UUID = uuid;
  }
}
Service.configureMembers({
  properties: { UUID: { signature: 's', access: 'read' }, Primary: { signature: 'b', access: 'read' } },
});

export class Characteristic extends Interface {
  readonly #behaviour: Behaviour;
  readonly UUID: string;
  Value: Buffer = Buffer.alloc(0);

  constructor(behaviour: Behaviour, uuid: string) {
    super('org.bluez.GattCharacteristic1');
    this.#behaviour = behaviour;
    this.UUID = uuid;
  }

  get MTU(): number {
    return this.#behaviour.mtu;
  }

  WriteValue(value: Uint8Array, options: Record<string, Variant<unknown>>): Promise<void> {
    return this.#behaviour.write(value, String(options.type?.value));
  }

  StartNotify(): Promise<void> {
    return this.#behaviour.notify(true);
  }

  StopNotify(): Promise<void> {
    return this.#behaviour.notify(false);
  }

  emitValue(value: Uint8Array): void {
    this.Value = Buffer.from(value);
    Interface.emitPropertiesChanged(this, { Value: this.Value }, []);
  }
}
Characteristic.configureMembers({
  properties: {
    UUID: { signature: 's', access: 'read' },
    MTU: { signature: 'q', access: 'read' },
    Value: { signature: 'ay', access: 'read' },
  },
  methods: { WriteValue: { inSignature: 'aya{sv}' }, StartNotify: {}, StopNotify: {} },
});

const uuid = (spelling: string, part: number): string => `${spelling}000${part}-b5a3-f393-e0a9-e50e24dcca9e`;

export interface DeviceObjects {
  readonly device: Device;
  readonly notify: Characteristic;
  /** Takes the device and all that is under it off the bus: BlueZ has forgotten it. */
  remove(): void;
}

/** Puts the device and its UART service on the bus. */
export function exportDevice(bus: MessageBus, behaviour: Behaviour): DeviceObjects {
  const path = `${ADAPTER_PATH}/dev_${behaviour.address.replaceAll(':', '_')}`;
  const service = `${path}/service000a`;
  const device = new Device(behaviour);
  const notify = new Characteristic(behaviour, uuid(behaviour.spelling, 3));
  const exported = [
    [path, device],
    [service, new Service(uuid(behaviour.spelling, 1))],
    [`${service}/char000b`, new Characteristic(behaviour, uuid(behaviour.spelling, 2))],
    [`${service}/char000d`, notify],
  ] as const;
  for (const [at, object] of exported) bus.export(at, object);
  const remove = () => {
    for (const [at, object] of exported) bus.unexport(at, object);
  };
  return { device, notify, remove };
}
