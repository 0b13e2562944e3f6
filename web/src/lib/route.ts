// Matching of paths, apart from the browser so that it can be tested anywhere.

/** Matches `/game/:id` against a path; the parameters, or null. */
export function match(pattern: string, path: string): Record<string, string> | null {
  const words = (text: string) => text.split('/').filter((word) => word !== '');
  const want = words(pattern);
  const have = words(path);
  if (want.length !== have.length) return null;
  const params: Record<string, string> = {};
  for (const [i, word] of want.entries()) {
    const part = have[i] ?? '';
    if (!word.startsWith(':')) {
      if (word !== part) return null;
      continue;
    }
    try {
      params[word.slice(1)] = decodeURIComponent(part);
    } catch {
      return null;
    }
  }
  return params;
}
