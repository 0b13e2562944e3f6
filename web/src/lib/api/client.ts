// Requests to the server, or to the engines on this device. A refusal is a `Problem` with a code that the page can put into words.

import { Problem, problemOf } from './problem';
import { thinkerFor } from './thinker';

export { Problem };

async function request<T>(method: string, path: string, body?: unknown, secret?: string, signal?: AbortSignal, tries = 3): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (secret) headers['authorization'] = `Bearer ${secret}`;
  let response: Response;
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    response = await (await thinkerFor(path)).request(method, path, text, headers, signal);
  } catch (error) {
    if (signal?.aborted) throw error;
    if (error instanceof Problem) {
      // No engines on this device after all: from now on the server is asked.
      if (error.code === 'device.none' && tries > 1) return request<T>(method, path, body, secret, signal, 1);
      throw error;
    }
    throw new Problem(0, 'network', 'the server does not answer');
  }
  if (response.status === 204) return undefined as T;
  if (response.ok) {
    const type = response.headers.get('content-type') ?? '';
    return (type.includes('json') ? response.json() : response.blob()) as Promise<T>;
  }
  if (response.status === 429 && tries > 1 && response.headers.has('retry-after')) {
    // Refused before it was looked at: asking again a moment later is safe.
    await new Promise((wake) => setTimeout(wake, 1000));
    return request<T>(method, path, body, secret, signal, tries - 1);
  }
  throw await problemOf(response);
}

/** Sends a file as it is. It is not sent twice: the answer may take as long as the server works on it. */
export async function upload<T>(path: string, file: Blob, secret: string): Promise<T> {
  const headers = { 'content-type': 'application/octet-stream', authorization: `Bearer ${secret}` };
  const response = await fetch(`/api/v1${path}`, { method: 'POST', headers, body: file }).catch(() => {
    throw new Problem(0, 'network', 'the server does not answer');
  });
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as T;
}

export const get = <T>(path: string, secret?: string): Promise<T> => request<T>('GET', path, undefined, secret);
export const post = <T>(path: string, body: unknown, secret?: string, signal?: AbortSignal): Promise<T> =>
  request<T>('POST', path, body, secret, signal);
export const put = <T>(path: string, body: unknown, secret?: string): Promise<T> => request<T>('PUT', path, body, secret);
export const del = (path: string, secret?: string): Promise<void> => request<void>('DELETE', path, undefined, secret);
