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
