// The worker in which the engines run. It does one job at a time and hears nothing meanwhile: whoever does not want to
// wait ends the worker.
import type { Job, Network, Start, WorkerMessage } from './jobs';

/** The bindings of crates/wasm. */
interface Engine {
  default(options: { module_or_path: WebAssembly.Module }): Promise<unknown>;
  set_memory(megabytes: number): void;
  gomoku_network(bytes: Uint8Array): boolean;
  hex_network(bytes: Uint8Array): boolean;
  request(method: string, path: string, body: Uint8Array): { status: number; kind: string; body(): Uint8Array<ArrayBuffer> };
  analysis(message: string, send: (text: string) => void): void;
  think(request: string, send: (text: string) => void): void;
}

const tell = (message: WorkerMessage, transfer: Transferable[] = []) => self.postMessage(message, { transfer });

async function start({ script, module, memory }: Start): Promise<Engine> {
  const engine = (await import(/* @vite-ignore */ script)) as Engine;
  await engine.default({ module_or_path: module });
  engine.set_memory(memory);
  return engine;
}

function install(engine: Engine, { game, bytes }: Network) {
  if (!engine[`${game}_network`](new Uint8Array(bytes))) throw new Error(`the network of ${game} cannot be read`);
}

function work(engine: Engine, job: Job) {
  if (job.kind !== 'request') {
    engine[job.kind](job.message, (text) => tell({ kind: 'said', id: job.id, text }));
    tell({ kind: 'ended', id: job.id });
    return;
  }
  const answer = engine.request(job.method, job.path, new TextEncoder().encode(job.body));
  const { status, kind: type } = answer;
  const { buffer } = answer.body();
  tell({ kind: 'answer', id: job.id, status, type, body: buffer }, [buffer]);
}

let engine: Promise<Engine> | undefined;

self.onmessage = async ({ data }: MessageEvent<Start | Network | Job>) => {
  try {
    if (data.kind === 'start') {
      await (engine = start(data));
      tell({ kind: 'ready' });
    } else if (!engine) return;
    else if (data.kind === 'network') install(await engine, data);
    else work(await engine, data);
  } catch (error) {
    // After a panic the module's memory is in no known state.
    tell({ kind: 'crashed', why: String(error) });
  }
};
