// A small router: paths with parameters, links that stay links.

/** Where the app is on its host, without the slash at the end: empty on a server of its own. */
const BASE = import.meta.env.BASE_URL.replace(/\/$/, '');

/** A path of this host as a path of the app. */
const inside = (path: string) => (path.startsWith(`${BASE}/`) ? path.slice(BASE.length) : path);

/** A path of the app as a whole address, to be passed on. */
export const whole = (path: string) => new URL(BASE + path, location.href).href;

class Location {
  path = $state(inside(location.pathname));
  query = $state(location.search);
  hash = $state(location.hash);
}

/** The page's address; reading it in a component makes the component follow it. */
export const here = new Location();

function follow() {
  here.path = inside(location.pathname);
  here.query = location.search;
  here.hash = location.hash;
}

/** Goes to an address of the app without loading the page again. */
export function go(address: string, replace = false) {
  if (replace) history.replaceState(null, '', BASE + address);
  else history.pushState(null, '', BASE + address);
  follow();
  if (!replace) window.scrollTo(0, 0);
}

export { match } from './route';

/** Start following the address bar and plain clicks on inner links. */
export function start() {
  window.addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (/^\/(api|guide)(\/|$)/.test(inside(link.pathname)) || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(inside(link.pathname) + link.search + link.hash);
  });
}
