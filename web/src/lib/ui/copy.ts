// Copying to the clipboard; where the browser refuses, the text is shown to be copied by hand.
import { t } from '../i18n';
import { notices } from './notices.svelte';

export async function copyText(text: string) {
  try {
    await navigator.clipboard.writeText(text);
    notices.say(t('files.copied', { text }));
  } catch {
    notices.say(text);
  }
}
