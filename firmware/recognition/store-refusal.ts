/** What a call of the store is refused for that the store itself knows nothing of. */
import { CodedError } from '../../drivers/lib/errors.ts';
import type { MembersOf } from '../../drivers/lib/records.ts';
import type { RECOGNITION_ERRORS } from './error-records.ts';

/** `NotMaster`: only a master does it; `NoDevice`: no device of that serial number is paired; `WrongName`: typed for another device. */
export class StoreRefusal extends CodedError<MembersOf<typeof RECOGNITION_ERRORS, 'Store'>> {}
