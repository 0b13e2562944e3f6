// Work of the page's own thread, which other work on the machine does not lengthen.
import type { Page } from '@playwright/test';

/** Milliseconds of CPU that the page's main thread spends while something happens. */
export async function pageWork(page: Page, happens: () => Promise<unknown>): Promise<number> {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return (metrics.find((m) => m.name === 'TaskDuration')?.value ?? NaN) * 1000;
  };
  const before = await busy();
  await happens();
  const after = await busy();
  await client.detach();
  return after - before;
}

/** The median time between frames, in milliseconds, over `count` of them; `wheel` zooms an element meanwhile. */
export function medianFrame(page: Page, count: number, wheel?: string): Promise<number> {
  return page.evaluate(
    async ([frames, selector]) => {
      const times: number[] = [];
      const target = selector ? document.querySelector(selector) : null;
      const at = target?.getBoundingClientRect();
      let last = performance.now();
      await new Promise<void>((done) => {
        const frame = (now: number) => {
          times.push(now - last);
          last = now;
          if (target && at) {
            const deltaY = times.length % 60 < 40 ? -60 : 90;
            target.dispatchEvent(
              new WheelEvent('wheel', { deltaY, clientX: at.x + 300, clientY: at.y + 200, bubbles: true, cancelable: true }),
            );
          }
          if (times.length < frames) requestAnimationFrame(frame);
          else done();
        };
        requestAnimationFrame(frame);
      });
      return times.sort((a, b) => a - b)[Math.floor(frames / 2)] ?? NaN;
    },
    [count, wheel] as const,
  );
}

/** Begins to count how far the layout shifts by itself; `shift` tells. Before a page is opened, or on the page that is open. */
export async function watchShift(page: Page, opened = false) {
  const watch = () => {
    if (!PerformanceObserver.supportedEntryTypes.includes('layout-shift')) throw new Error('this browser does not tell of shifts');
    const page = globalThis as unknown as { shift: number };
    page.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { hadRecentInput: boolean; value: number })[]) {
        if (!entry.hadRecentInput) page.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: false });
  };
  await (opened ? page.evaluate(watch) : page.addInitScript(watch));
}

export const shift = (page: Page) => page.evaluate(() => (globalThis as unknown as { shift: number }).shift);

/** Milliseconds from what the person does (the press of a button or key) until an element is there, by the page's own clock. */
export async function untilShown(page: Page, selector: string, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate((wanted) => {
    const page = globalThis as unknown as { appeared: Promise<number> };
    page.appeared = new Promise((done) => {
      const begin = () => {
        const began = performance.now();
        for (const event of ['pointerdown', 'keydown']) removeEventListener(event, begin, true);
        const look = () => {
          if (!document.querySelector(wanted)) return false;
          done(performance.now() - began);
          observer.disconnect();
          return true;
        };
        const observer = new MutationObserver(look);
        if (!look()) observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      };
      for (const event of ['pointerdown', 'keydown']) addEventListener(event, begin, true);
    });
  }, selector);
  await act();
  return page.evaluate(() => (globalThis as unknown as { appeared: Promise<number> }).appeared);
}
