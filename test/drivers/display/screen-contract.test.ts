/** The contract on the screen: what its viewers are told, drawn as its page draws it. */
import sharp from 'sharp';
import type { Picture } from '../../../drivers/display/contract.ts';
import { renderQrSvg } from '../../../drivers/display/qr-svg.ts';
import { ScreenDisplay } from '../../../drivers/display/screen.ts';
import { contractSuite, type Rig } from './contract-suite.ts';

const SIDE_PX = 900;

function screenRig(): Promise<Rig> {
  const drawn: Picture[] = [];
  let screen: ScreenDisplay | null = null;
  const picture = (): Picture => {
    if (!screen) throw new Error('not opened');
    return screen.picture;
  };
  return Promise.resolve({
    open(options) {
      screen = new ScreenDisplay(options);
      screen.subscribe((next) => drawn.push(next));
      return screen;
    },
    far: {
      picture,
      drawn: () => drawn,
      async render() {
        const shown = picture();
        if (shown.kind !== 'qr') throw new Error('no QR is shown');
        return sharp(Buffer.from(renderQrSvg(shown.payload)))
          .resize(SIDE_PX, SIDE_PX, { kernel: 'nearest' })
          .png()
          .toBuffer();
      },
    },
    close: () => Promise.resolve(),
  });
}

contractSuite('display contract: screen', screenRig);
