/** The name of the view among payments; its other words are loaded with it. */
export default {
  'reconcile.link': 'Reconcile',
};
