// The entry of the page that plays one record: the record is in the page itself.
import { mount } from 'svelte';
import Player from './lib/see/Player.svelte';
import './styles.css';

const target = document.getElementById('app');
const text = document.getElementById('record')?.textContent ?? '';
if (target) mount(Player, { target, props: { text } });
