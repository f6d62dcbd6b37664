/** A deletion that cannot be taken back any more. */
export class DeletionOver extends Error {
  constructor() {
    super('this deletion no longer exists: it was done or undone');
    this.name = 'DeletionOver';
  }
}
