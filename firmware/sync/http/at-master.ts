/** What only a master does, under `/v1`. */
import { RecognitionError, StoreRefusal } from '../../recognition/index.ts';
import { synchronising } from './synchronising.ts';

/** @throws {StoreRefusal} `NotMaster` */
export async function atMaster<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await synchronising(work);
  } catch (error) {
    if (!(error instanceof RecognitionError) || error.codeName !== 'notMaster') throw error;
    throw new StoreRefusal('NotMaster', error.message, { cause: error });
  }
}
