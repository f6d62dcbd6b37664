/** What makes the buckets of a master, loaded late like `nats.ts`. */
export { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream';
