/** One line for the log, and what belongs to it. Never a secret, a payload or a picture. */
export type LogLine = (message: string, details?: Readonly<Record<string, unknown>>) => void;
