/** The process of a device whose times and limits a test has changed: `DEVICE_TUNING` holds them as JSON. */
import { run } from '../firmware/device/run.ts';

await run(JSON.parse(process.env.DEVICE_TUNING ?? '{}'));
