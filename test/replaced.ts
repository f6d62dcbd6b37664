/** Replaces a member of an object until disposal; the types refuse a member that no longer exists. */
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
