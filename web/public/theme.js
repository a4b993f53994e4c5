// Runs before the first paint, so that a dark room is not lit up by a white page.
(function () {
  var wish = {};
  try {
    wish = JSON.parse(localStorage.getItem('grognard.settings') || '{}');
  } catch (error) {
    wish = {};
  }
  var dark = wish.theme === 'dark' || (wish.theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
