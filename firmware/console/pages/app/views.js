/** The page of each name. @import { Route } from './route.js' */
import { Camera } from '../camera/camera.js';
import { Device } from '../device/device.js';
import { Integrate } from '../integrate/integrate.js';
import { Items } from '../items/items.js';
import { Lane } from '../lane/lane.js';
import { Payments } from '../payments/payments.js';
import { Scale } from '../scale/scale.js';
import { Store } from '../store/store.js';
import { Teach } from '../teach/teach.js';
import { Welcome } from '../welcome/welcome.js';

/** @typedef {(properties: {route: Route}) => unknown} View */

/** @type {Readonly<Record<Route['page'], View>>} */
export const VIEWS = {
  lane: Lane,
  payments: Payments,
  items: Items,
  teach: Teach,
  camera: Camera,
  store: Store,
  device: Device,
  integrate: Integrate,
  welcome: Welcome,
  scale: Scale,
};
