/** The name of the page for programmers of tills; the rest comes with it. */
export default {
  'page.integrate': 'Developers',
};
