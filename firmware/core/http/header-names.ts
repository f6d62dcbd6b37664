/** Headers of our own calls as people read them: Node hands them over, and schemas name them, in small letters. */
export const KEY_HEADER = 'Idempotency-Key';

const SPELLED: ReadonlyMap<string, string> = new Map(
  [KEY_HEADER, 'Last-Event-ID'].map((name) => [name.toLowerCase(), name]),
);

export const spelledHeader = (name: string): string => SPELLED.get(name) ?? name;

/** Of an answer that is of this moment, or for one caller alone. */
export const NO_STORE = { 'cache-control': 'no-store' } as const;
