// A host of static files, as any would be: no routes, no API, 404.html for what is not there.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

export class SiteServer {
  #server: Server;
  /** Addresses that were asked for. */
  asked: string[] = [];

  constructor(folder: string, base: string) {
    this.#server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://host').pathname;
      this.asked.push(path);
      const inside = path.startsWith(base) ? normalize(path.slice(base.length)) : '..';
      let file = join(folder, inside.startsWith('..') ? '404.html' : inside);
      if (existsSync(file) && statSync(file).isDirectory()) file = join(file, 'index.html');
      const found = existsSync(file) && !inside.startsWith('..');
      if (!found) file = join(folder, '404.html');
      response.writeHead(found ? 200 : 404, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
      response.end(readFileSync(file));
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((up) => this.#server.listen(0, '127.0.0.1', up));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}
