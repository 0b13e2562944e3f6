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
