/** What a call of the store is refused for that the store itself knows nothing of. */
export class StoreRefusal extends Error {
  /** `NotMaster`: only a master does it; `NoDevice`: no device of that serial number is paired; `WrongName`: typed for another device. */
  readonly code: 'NotMaster' | 'NoDevice' | 'WrongName';

  constructor(code: StoreRefusal['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreRefusal';
    this.code = code;
  }
}
