// Whether somebody is waiting for the person at this screen: the title of the tab says so.
import { t } from '../i18n';
import { settings } from '../settings.svelte';

class Turn {
  mine = $state(false);
}

export const turn = new Turn();

/** Tells a person who looks at something else that it is their turn, where they have allowed it. */
export function announceTurn() {
  if (!settings.notify || !document.hidden || typeof Notification === 'undefined' || Notification.permission !== 'granted') return;
  new Notification(t('player.your-turn'), { tag: 'tengen-turn', icon: '/icon.svg' });
}

/** Asks the browser to allow it. */
export async function allowNotices(): Promise<boolean> {
  return typeof Notification !== 'undefined' && (await Notification.requestPermission()) === 'granted';
}
