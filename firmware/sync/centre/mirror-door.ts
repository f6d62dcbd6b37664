/**
 * A consumer of the templates delivers to a mirror at the chain. The request that creates a consumer names the subject that it
 * delivers to, with the rights of the buckets' account: it could write a deletion mark or a foreign template there. So the
 * chain cannot create one. The master receives its request, and asks the server for a mirror's consumer only.
 */
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import Type, { type Static } from 'typebox';
import { MIRROR_DOOR, MIRRORED } from '../../chain/index.ts';
import type { Log } from '../../host/index.ts';
import { jsonFitting } from '../../store/index.ts';
import { streamOf } from './subjects.ts';

const REQUEST_LIMIT_MS = 5000;
const HEARTBEAT_NS = 1_000_000_000;
const ACK_WAIT_NS = 79_200_000_000_000;
const CREATE = `$JS.API.CONSUMER.CREATE.${streamOf('templates')}`;
const WORD = '[A-Za-z0-9_-]+';

/** Of what a hub asks for its mirror: the rest is always the same. */
const MirrorRequest = Type.Object({
  config: Type.Object({
    deliver_subject: Type.String({ pattern: `^${MIRRORED.replaceAll('.', '\\.')}(\\.${WORD})+$`, maxLength: 200 }),
    deliver_policy: Type.Optional(Type.Enum(['all', 'by_start_sequence', 'by_start_time', 'last', 'new'])),
    opt_start_seq: Type.Optional(Type.Integer({ minimum: 0 })),
    opt_start_time: Type.Optional(Type.String({ maxLength: 64 })),
    name: Type.Optional(Type.String({ pattern: `^${WORD}$`, maxLength: 64 })),
  }),
});

/** The request to the server, rebuilt: the server reads a key that comes twice, or in capitals, in another way than we do. */
function requestOf({ config }: Static<typeof MirrorRequest>): object {
  const { deliver_subject, deliver_policy, opt_start_seq, opt_start_time, name } = config;
  return {
    stream_name: streamOf('templates'),
    config: {
      deliver_subject,
      deliver_policy: deliver_policy ?? 'all',
      ...(opt_start_seq === undefined ? {} : { opt_start_seq }),
      ...(opt_start_time === undefined ? {} : { opt_start_time }),
      ...(name === undefined ? {} : { name }),
      ack_policy: 'none',
      ack_wait: ACK_WAIT_NS,
      max_deliver: 1,
      replay_policy: 'instant',
      idle_heartbeat: HEARTBEAT_NS,
      flow_control: true,
      num_replicas: 0,
      direct: true,
    },
  };
}

const refusal = JSON.stringify({
  type: 'io.nats.jetstream.api.v1.consumer_create_response',
  error: { code: 403, description: 'a store gives its templates to a mirror, and to nothing else' },
});

async function answer(connection: NatsConnection, message: Msg, log: Pick<Log, 'warn'>): Promise<void> {
  const asked = jsonFitting(MirrorRequest, message.string());
  if (asked === null) {
    log.warn({ subject: message.subject }, 'the chain asked for what no mirror needs, and was refused');
    message.respond(refusal);
    return;
  }
  const { name } = asked.config;
  const subject = name === undefined ? CREATE : `${CREATE}.${name}`;
  const made = await connection.request(subject, JSON.stringify(requestOf(asked)), { timeout: REQUEST_LIMIT_MS });
  message.respond(made.data);
}

/** Answers on the master's own connection as long as it is there. */
export function openMirrorDoor(connection: NatsConnection, log: Pick<Log, 'warn'>): void {
  const callback = (_error: unknown, message: Msg): void => {
    answer(connection, message, log).catch((error: unknown) => {
      // the hub asks again
      log.warn({ err: error }, 'a mirror of the chain could not be served');
    });
  };
  for (const subject of [MIRROR_DOOR, `${MIRROR_DOOR}.>`]) connection.subscribe(subject, { callback });
}
