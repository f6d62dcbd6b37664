/** Another value in the place of a member, until it is disposed of; types refuse a member that is not there any more. */
export function replaced<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): Disposable {
  const own = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { configurable: true, writable: true, value });
  return {
    [Symbol.dispose]() {
      if (own === undefined) Reflect.deleteProperty(target, name);
      else Object.defineProperty(target, name, own);
    },
  };
}
