import claim from './claim.js';
import device from './device.js';
import integrate from './integrate.js';
import lane from './lane.js';
import payments from './payments.js';
import problems from './problems.js';
import shell from './shell.js';
import store from './store.js';
import welcome from './welcome.js';

export default { ...shell, ...problems, ...lane, ...payments, ...device, ...store, ...integrate, ...welcome, ...claim };
