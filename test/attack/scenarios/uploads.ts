import { connect } from 'node:net';
import { sendGraphQL, settled, tally } from '../support/http.js';
import { uploadMutation } from '../support/requests.js';
import type { Testbed } from '../support/testbed.js';

const SLOW = 16;
/** Milliseconds: far more than an upload takes, and far less than a slow one may. */
const STALL_MS = 10_000;

/** Large GraphQL bodies at a byte a second, by a user who belongs nowhere, beside an honest upload. */
export async function uploads({ startLimited, facts, report }: Testbed): Promise<void> {
  const gateway = await startLimited();
  const slow = Array.from({ length: SLOW }, () => {
    const socket = connect({ host: '127.0.0.1', port: gateway.port, localAddress: '127.0.0.2' });
    socket.on('error', () => undefined);
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: localhost\r\nX-Service-Token: ${facts.tokens.newcomer}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 5000000\r\n\r\n{"query":"',
    );
    const drip = setInterval(() => socket.write('x'), 1_000);
    return socket.once('close', () => clearInterval(drip));
  });
  await new Promise((done) => setTimeout(done, 2_000));
  const startedAt = performance.now();
  const request = uploadMutation(facts, 'A.5.1', Buffer.alloc(3_000_000, 'honest words\n'));
  const answer = await settled(
    sendGraphQL(gateway, { ...request, token: facts.tokens.analyst }, { timeout: STALL_MS }),
  );
  const stored = !(answer instanceof Error) && answer.text.includes('"created":true');
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
  report.held(
    `an upload beside ${SLOW} slow ones of another user`,
    SLOW,
    stored,
    `${tally([answer])} after ${seconds} s`,
  );
  for (const socket of slow) socket.destroy();
}
