/** What the server (or the network, or this device) refused, and why. */
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

/** The problem that a refusal carries. */
export async function problemOf(response: Response): Promise<Problem> {
  const problem = (await response.json().catch(() => ({}))) as Partial<{
    code: string;
    detail: string;
    title: string;
    params: Record<string, string | number>;
  }>;
  const detail = problem.detail ?? problem.title ?? response.statusText;
  return new Problem(response.status, problem.code ?? `http.${response.status}`, detail, problem.params);
}
