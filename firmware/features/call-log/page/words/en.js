/** The name of the page for programmers of tills; its other words are loaded with it. */
export default {
  'page.integrate': 'Developers',
};
