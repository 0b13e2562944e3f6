// The guide in the browser: the app's theme, search, and contents folded away on a phone. Without it the pages are plain links.
'use strict';

const KEY = 'tengen.settings';
function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
function remember(values) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), ...values }));
  } catch {
    // A browser that keeps nothing forgets the choice.
  }
}
const root = document.documentElement;
const theme = stored().theme;
if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;

/** Sections that contain every word, those with a word in the heading first. */
function find(index, text) {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ([, heading, body]) => {
    const [title, all] = [heading.toLowerCase(), `${heading} ${body}`.toLowerCase()];
    if (!words.every((word) => all.includes(word))) return 0;
    return 1 + words.filter((word) => title.includes(word)).length;
  };
  const ranked = index.map((section) => [rank(section), section]).filter(([value]) => value);
  ranked.sort((a, b) => b[0] - a[0]);
  return words.length ? ranked.slice(0, 12).map(([, section]) => section) : [];
}

/** The words around the first place where the text occurs. */
function around(body, text) {
  const word = text.trim().toLowerCase().split(/\s+/)[0];
  const at = Math.max(0, body.toLowerCase().indexOf(word) - 40);
  return (at ? '…' : '') + body.slice(at, at + 120) + (body.length > at + 120 ? '…' : '');
}

function search(form) {
  const list = form.querySelector('ol');
  const input = [...form.querySelectorAll('input')].find((field) => getComputedStyle(field).display !== 'none');
  let index = null;
  async function show() {
    index ??= fetch(form.dataset.search).then((answer) => answer.json());
    const sections = await index;
    const found = find(sections, input.value);
    list.replaceChildren(
      ...found.map(([address, heading, body]) => {
        const [item, link, small] = ['li', 'a', 'small'].map((tag) => document.createElement(tag));
        link.href = address;
        const page = sections.find(([page]) => page === address.split('#')[0]);
        small.textContent = around(body, input.value);
        link.append(page[1] === heading ? heading : `${page[1]}: ${heading}`, small);
        item.append(link);
        return item;
      }),
    );
    if (!found.length && input.value.trim()) {
      const [item, text] = ['li', 'p'].map((tag) => document.createElement(tag));
      text.textContent = root.lang.startsWith('zh') ? '没有找到' : 'Nothing found';
      item.append(text);
      list.append(item);
    }
    list.hidden = !list.children.length;
  }
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const links = [input, ...list.querySelectorAll('a')];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Escape') list.hidden = true;
    if (!step) return;
    event.preventDefault();
    links[Math.min(Math.max(links.indexOf(document.activeElement) + step, 0), links.length - 1)].focus();
  });
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) list.hidden = true;
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input')) return;
    event.preventDefault();
    input.focus();
  });
}

document.addEventListener('DOMContentLoaded', () => {
  if ('choose' in document.body.dataset) {
    const language = stored().language ?? (navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en');
    location.replace(`${language === 'zh' ? 'zh' : 'en'}/index.html`);
    return;
  }
  for (const form of document.querySelectorAll('form[data-search]')) search(form);
  for (const button of document.querySelectorAll('.theme')) {
    button.addEventListener('click', () => {
      const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
      root.dataset.theme = dark ? 'light' : 'dark';
      remember({ theme: root.dataset.theme });
    });
  }
  for (const link of document.querySelectorAll('.twin')) {
    link.addEventListener('click', () => remember({ language: link.lang.startsWith('zh') ? 'zh' : 'en' }));
  }
  if (matchMedia('(max-width: 820px)').matches) document.querySelector('.contents').open = false;
  // What scrolls sideways can be reached by keyboard.
  for (const box of document.querySelectorAll('pre, .table-wrapper')) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
});
