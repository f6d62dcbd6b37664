/** A program that holds a camera open: says "ready" with the first frame, then does what its argument says. */
import { LibcameraCamera } from '../../../drivers/camera/libcamera-stream.ts';

const camera = new LibcameraCamera();
await camera.next(new AbortController().signal);
process.stdout.write('ready\n');
if (process.argv[2] === 'exit') process.exit(0);
