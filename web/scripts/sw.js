// The service worker of the site: everything it is made of is kept at the first visit, so that it works without a network.
// scripts/site.mjs fills in VERSION, FILES and STUDENT_POLICY. A new version waits until the person reloads.
/* global self, caches, fetch, URL, VERSION, FILES, STUDENT_POLICY, Headers, Response */
'use strict';

const CACHE = `tengen-${VERSION}`;
const scope = new URL(self.registration.scope);
const address = (file) => new URL(file, scope).href;

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES.map(address))));
});

self.addEventListener('activate', (event) => {
  // Only our own old versions: other caches of this host belong to others.
  const old = (name) => /^tengen-[0-9a-f]{16}$/.test(name) && name !== CACHE;
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting();
});

/** A student's program obeys the policy that this script came with; a host of files sends none. */
async function withPolicy(answer) {
  const headers = new Headers(answer.headers);
  headers.set('Content-Security-Policy', STUDENT_POLICY);
  return new Response(await answer.blob(), { status: answer.status, headers });
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== scope.origin || !url.pathname.startsWith(scope.pathname)) return;
  // The guide is made of files of its own and is not kept.
  if (url.pathname.startsWith(`${scope.pathname}guide/`)) return;
  const wanted = request.mode === 'navigate' ? address('index.html') : url.href.replace(/[?#].*/, '');
  const answer = caches.open(CACHE).then(async (cache) => (await cache.match(wanted)) ?? fetch(request));
  event.respondWith(wanted === address('student.js') ? answer.then(withPolicy) : answer);
});
