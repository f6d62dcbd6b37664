/** The library that makes a master's buckets, loaded late like `nats.ts`. */
export { DiscardPolicy, jetstreamManager, StorageType } from '@nats-io/jetstream';
