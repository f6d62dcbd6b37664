/** What a template is called in a whole store, and the order of templates that is the same on every device. */
export interface TemplateName {
  readonly item: string;
  /** Serial number of the device that made it. */
  readonly origin: string;
  readonly sid: string;
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The oldest template first. Where an item is full, the first ones stay. */
export const byAge = (one: Omit<TemplateName, 'item'>, other: Omit<TemplateName, 'item'>): number =>
  compare(one.sid, other.sid) || compare(one.origin, other.origin);
