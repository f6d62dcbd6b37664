/** A deletion that cannot be taken back any more. */
export class DeletionOver extends Error {
  constructor() {
    super('there is no such deletion any more: it was done, or taken back');
    this.name = 'DeletionOver';
  }
}
