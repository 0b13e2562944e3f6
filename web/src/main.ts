import { mount } from 'svelte';
import App from './App.svelte';
import './styles.css';

const target = document.getElementById('app');
if (target) mount(App, { target });

// The site without a server works without a network too.
if (import.meta.env.MODE === 'site') {
  const manifest = document.createElement('link');
  manifest.rel = 'manifest';
  manifest.href = `${import.meta.env.BASE_URL}manifest.webmanifest`;
  document.head.append(manifest);
  // A browser that refuses it still runs the page.
  void import('./lib/engine/offline').then(({ register }) => register()).catch(() => {});
}
