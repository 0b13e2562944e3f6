// The click of a stone, made rather than loaded.
import { settings } from '../settings.svelte';

let audio: AudioContext | null = null;

export function click() {
  if (!settings.sound) return;
  audio ??= new AudioContext();
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(880, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(220, audio.currentTime + 0.06);
  volume.gain.setValueAtTime(0.25, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.1);
}
