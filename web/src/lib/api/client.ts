// Requests to the server. A refusal is a `Problem` with a code that the page can put into words.

/** What the server (or the network) refused, and why. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly params: Record<string, string | number> = {},
  ) {
    super(detail);
  }
}

async function request<T>(method: string, path: string, body?: unknown, secret?: string, signal?: AbortSignal, tries = 3): Promise<T> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (secret) headers['authorization'] = `Bearer ${secret}`;
  let response: Response;
  try {
    const init: RequestInit = { method, headers };
    if (body !== undefined) init.body = JSON.stringify(body);
    if (signal) init.signal = signal;
    response = await fetch(`/api/v1${path}`, init);
  } catch (error) {
    if (signal?.aborted) throw error;
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
  const problem = (await response.json().catch(() => ({}))) as Partial<{
    code: string;
    detail: string;
    title: string;
    params: Record<string, string | number>;
  }>;
  throw new Problem(
    response.status,
    problem.code ?? `http.${response.status}`,
    problem.detail ?? problem.title ?? response.statusText,
    problem.params,
  );
}

export const get = <T>(path: string, secret?: string): Promise<T> => request<T>('GET', path, undefined, secret);
export const post = <T>(path: string, body: unknown, secret?: string, signal?: AbortSignal): Promise<T> =>
  request<T>('POST', path, body, secret, signal);
export const put = <T>(path: string, body: unknown, secret?: string): Promise<T> => request<T>('PUT', path, body, secret);
export const del = (path: string, secret?: string): Promise<void> => request<void>('DELETE', path, undefined, secret);
