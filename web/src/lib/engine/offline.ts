// The service worker of the site: keeps every file for use without a network, and says when there is a newer version.
import { t } from '../i18n';
import { notices } from '../ui/notices.svelte';

function offer(waiting: ServiceWorker) {
  const run = () => {
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
    waiting.postMessage('take-over');
  };
  notices.say(t('offline.new-version'), false, { label: t('offline.reload'), run }, true);
}

export async function register(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const base = import.meta.env.BASE_URL;
  const registration = await navigator.serviceWorker.register(`${base}sw.js`, { scope: base });
  const follow = (worker: ServiceWorker | null) =>
    worker?.addEventListener('statechange', () => {
      // The first one ever replaces nobody.
      if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
    });
  if (registration.waiting && navigator.serviceWorker.controller) offer(registration.waiting);
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  // The engines are large: they come last, in the background.
  await navigator.serviceWorker.ready;
  const { keepAll } = await import('./load');
  await keepAll();
}
