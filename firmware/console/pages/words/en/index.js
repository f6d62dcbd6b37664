import backup from './backup.js';
import bankTest from './bank-test.js';
import banks from './banks.js';
import bluetooth from './bluetooth.js';
import camera from './camera.js';
import claim from './claim.js';
import device from './device.js';
import failed from './failed.js';
import items from './items.js';
import lane from './lane.js';
import machine from './machine.js';
import payments from './payments.js';
import problems from './problems.js';
import remedies from './remedies.js';
import scale from './scale.js';
import sentFiles from './sent-files.js';
import shell from './shell.js';
import signIn from './sign-in.js';
import store from './store.js';
import teach from './teach.js';
import welcome from './welcome.js';

export default {
  ...shell,
  ...problems,
  ...backup,
  ...banks,
  ...bankTest,
  ...sentFiles,
  ...bluetooth,
  ...camera,
  ...claim,
  ...device,
  ...machine,
  ...remedies,
  ...failed,
  ...items,
  ...lane,
  ...payments,
  ...scale,
  ...signIn,
  ...store,
  ...teach,
  ...welcome,
};
