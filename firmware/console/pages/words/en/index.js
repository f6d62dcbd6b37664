import camera from './camera.js';
import claim from './claim.js';
import backup from './device/backup.js';
import log from './device/log.js';
import machine from './device/machine.js';
import reasons from './device/reasons.js';
import remedies from './device/remedies.js';
import device from './device.js';
import integrate from './integrate.js';
import items from './items.js';
import lane from './lane.js';
import failed from './payments/failed.js';
import payments from './payments.js';
import problems from './problems.js';
import shell from './shell.js';
import signIn from './sign-in.js';
import store from './store.js';
import teach from './teach.js';
import bankTest from './welcome/bank-test.js';
import bluetooth from './welcome/bluetooth.js';
import sentFiles from './welcome/sent-files.js';
import welcome from './welcome.js';

export default {
  ...shell,
  ...problems,
  ...backup,
  ...bankTest,
  ...sentFiles,
  ...bluetooth,
  ...camera,
  ...claim,
  ...device,
  ...log,
  ...machine,
  ...reasons,
  ...remedies,
  ...failed,
  ...integrate,
  ...items,
  ...lane,
  ...payments,
  ...signIn,
  ...store,
  ...teach,
  ...welcome,
};
