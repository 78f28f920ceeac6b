import { setTimeout as sleep } from 'node:timers/promises';
import { keepAlive, send, settled, tally } from '../support/http.js';
import type { Testbed } from '../support/testbed.js';

const CLIENTS = 16;
const ROUNDS = 5;

/** SIGTERM while clients send requests over keep-alive connections: each of their requests must get a response. */
export async function stop({ start, facts, report, quick }: Testbed): Promise<void> {
  const rounds = quick ? 2 : ROUNDS;
  const lost: string[] = [];
  const codes: unknown[] = [];
  let answered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const gateway = await start();
    let stopping = false;
    const clients = Array.from({ length: CLIENTS }, async (_, client) => {
      const agent = keepAlive(1);
      for (let refused = false; !refused;) {
        const path = client % 2 === 0 ? '/api/v1/token' : '/health/live';
        const result = await settled(send(gateway, { path, token: facts.tokens.viewer }, { agent }));
        refused = result instanceof Error;
        // A new connection may be refused once the gateway has begun to stop; a sent request must not be lost.
        if (!(result instanceof Error)) answered += 1;
        else if (!stopping || !result.message.includes('ECONNREFUSED')) lost.push(result.message);
        await sleep((client * 7) % 40);
      }
      agent.destroy();
    });
    await sleep(1_000);
    stopping = true;
    codes.push((await gateway.end('SIGTERM')).code);
    await Promise.all(clients);
  }
  report.record(
    `SIGTERM with ${CLIENTS} clients that keep connections`,
    rounds,
    lost.length === 0,
    `${answered} answered; lost: ${tally(lost) || 'none'}`,
  );
  report.record(
    'and the gateway ends with 0',
    rounds,
    codes.every((code) => code === 0),
    codes.join(', '),
  );
}
