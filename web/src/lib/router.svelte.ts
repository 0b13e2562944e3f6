// A router of forty lines: paths with parameters, links that stay links.

class Location {
  path = $state(location.pathname);
  query = $state(location.search);
}

/** The page's address; reading it in a component makes the component follow it. */
export const here = new Location();

function follow() {
  here.path = location.pathname;
  here.query = location.search;
}

/** Goes to an address of the app without loading the page again. */
export function go(address: string, replace = false) {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  follow();
  window.scrollTo(0, 0);
}

/** Matches `/game/:id` against a path; the parameters, or null. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const want = pattern.split('/');
  const have = path.replace(/\/+$/, '').split('/');
  if (want.length !== (have.length || 1)) return null;
  const params: Record<string, string> = {};
  for (const [i, word] of want.entries()) {
    const part = have[i] ?? '';
    if (word.startsWith(':')) params[word.slice(1)] = decodeURIComponent(part);
    else if (word !== part) return null;
  }
  return params;
}

/** Start following the address bar and plain clicks on inner links. */
export function start() {
  window.addEventListener('popstate', follow);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = (event.target as Element | null)?.closest('a');
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api')) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
