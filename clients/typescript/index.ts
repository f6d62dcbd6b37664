/** A lane's two interfaces with their types: each call is checked against the OpenAPI document by the compiler. */
import createClient, { type Client } from 'openapi-fetch';
import type { paths as RecognitionPaths } from './recognition.ts';
import type { paths as TerminalPaths } from './terminal.ts';

export interface LaneOptions {
  /** As `http://127.0.0.1:1234`, or 8080 for recognition. */
  readonly baseUrl: string;
  /** Of the till or the technician, where the lane asks for one. */
  readonly token?: string;
}

const optionsOf = ({ baseUrl, token }: LaneOptions) => ({
  baseUrl,
  headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
});

/** The payment terminal. */
export const openTerminal = (options: LaneOptions): Client<TerminalPaths> =>
  createClient<TerminalPaths>(optionsOf(options));

/** The recognition device. */
export const openRecognition = (options: LaneOptions): Client<RecognitionPaths> =>
  createClient<RecognitionPaths>(optionsOf(options));
