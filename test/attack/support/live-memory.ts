import type { GatewayProcess } from '../../resilience/support/gateway-process.js';

/** The environment of a gateway that reports `liveMegabytes`. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };

/**
 * Megabytes of live memory of a gateway, buffers included, after a full collection. The resident size of a process is
 * not comparable, because V8 collects and returns memory at arbitrary times.
 */
export async function liveMegabytes(gateway: GatewayProcess): Promise<number> {
  const address = /Debugger listening on (ws:\S+)/.exec(gateway.complaint)?.[1];
  if (address === undefined) throw new Error('The gateway was not started with --inspect');
  const inspector = new WebSocket(address);
  await new Promise((resolve, reject) => {
    inspector.onopen = resolve;
    inspector.onerror = () => reject(new Error(`No inspector answers at ${address}`));
  });
  try {
    // What a first collection finalizes, a second one frees.
    for (let round = 0; round < 2; round += 1) await call(inspector, 'HeapProfiler.collectGarbage');
    const expression = 'process.memoryUsage().heapUsed + process.memoryUsage().external';
    const { result } = (await call(inspector, 'Runtime.evaluate', { expression })) as { result: { value: number } };
    return Math.round(result.value / 1e6);
  } finally {
    inspector.close();
  }
}

let lastId = 0;

function call(inspector: WebSocket, method: string, params = {}): Promise<unknown> {
  const id = (lastId += 1);
  return new Promise((resolve, reject) => {
    inspector.addEventListener('message', function take({ data }: MessageEvent<string>) {
      const answer = JSON.parse(data) as { id?: number; result?: unknown; error?: { message: string } };
      if (answer.id !== id) return;
      inspector.removeEventListener('message', take);
      if (answer.error) reject(new Error(answer.error.message));
      else resolve(answer.result);
    });
    inspector.send(JSON.stringify({ id, method, params }));
  });
}
