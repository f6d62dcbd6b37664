/** Whether a time zone of that name is known: `Europe/Moscow`. */
export const isTimeZone = (name: string): boolean =>
  name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
