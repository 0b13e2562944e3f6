// Python for student programs: the core files of Pyodide, read by the page because the worker can fetch nothing.

declare const PYODIDE: string;

export type PythonFiles = Record<string, ArrayBuffer>;

/** The name each file has in the worker. */
const names = {
  loader: 'pyodide.mjs',
  module: 'pyodide.asm.mjs',
  lock: 'pyodide-lock.json',
  'pyodide.asm.wasm': 'pyodide.asm.wasm',
  'python_stdlib.zip': 'python_stdlib.zip',
};

/** Fetches and unpacks the files; the browser keeps them, so that the next time costs only the unpacking. */
export async function startFiles(): Promise<PythonFiles> {
  const read = async ([name, file]: [string, string]): Promise<[string, ArrayBuffer]> => {
    const answer = await fetch(`${PYODIDE}${file}.gz`);
    if (!answer.ok || !answer.body) throw new Error(`${file}: ${answer.status}`);
    const data = await new Response(answer.body.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
    return [name, data];
  };
  return Object.fromEntries(await Promise.all(Object.entries(names).map(read)));
}
