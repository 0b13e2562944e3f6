// Where searches run, this device or the server: what the person chose, or what a short measurement says.
import { settings } from '../settings.svelte';

/** Is this the site without a server? */
export const SITE = import.meta.env.MODE === 'site';

/** Workers that search at the same time on this device. */
export const CORES = Math.max(1, Math.min(4, (typeof navigator === 'undefined' ? 0 : navigator.hardwareConcurrency) || 1));

/** Nodes per second of the Gomoku engine from which a device is fast enough; a phone of the last years has more. */
const FAST = 50_000;

const KEY = 'tengen.speed';

function measured(): number | null {
  try {
    const stored = Number(localStorage.getItem(KEY));
    return stored > 0 ? stored : null;
  } catch {
    return null;
  }
}

class Place {
  /** Nodes per second of this device; null until it was measured. */
  speed = $state<number | null>(measured());
  /** Why this device cannot search, as a text's key; empty if it can. */
  trouble = $state<'' | 'missing' | 'unsupported' | 'blocked' | 'network' | 'damaged'>('');

  get where(): 'device' | 'server' {
    if (SITE) return 'device';
    if (this.trouble || settings.think === 'server') return 'server';
    if (settings.think === 'device') return 'device';
    return (this.speed ?? 0) >= FAST ? 'device' : 'server';
  }

  /** Must it still be measured? */
  get unknown(): boolean {
    return !SITE && !this.trouble && settings.think === 'auto' && this.speed === null;
  }

  keep(speed: number) {
    this.speed = speed;
    try {
      localStorage.setItem(KEY, String(Math.round(speed)));
    } catch {
      // Measured again next time.
    }
  }
}

export const place = new Place();
