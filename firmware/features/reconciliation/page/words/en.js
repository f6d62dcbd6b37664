/** The name of the view among payments; the rest comes with it. */
export default {
  'reconcile.link': 'Reconcile',
};
