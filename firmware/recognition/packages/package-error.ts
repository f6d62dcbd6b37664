/** Why a package is not given. */
export class PackageError extends Error {
  /** `NotFound`: there is none of that name; `BeyondEnd`: it is shorter than the part that was asked for. */
  readonly code: 'NotFound' | 'BeyondEnd';

  constructor(code: PackageError['code'], message: string) {
    super(message);
    this.name = 'PackageError';
    this.code = code;
  }
}
