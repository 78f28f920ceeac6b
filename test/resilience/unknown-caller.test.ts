import { expect, test } from '@jest/globals';
import pino from 'pino';
import { generateToken } from '../../src/auth/token.js';
import { startSeededGateway } from '../support/seeded-gateway.js';

const lines: object[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line) as object) });
const { gateway } = await startSeededGateway({ log });

test('the log has why a caller could not be looked up, under the id of the answer of each API', async () => {
  const token = generateToken();
  await gateway.app.database.rows('alter table api_token rename to api_token_away');
  try {
    const answers = [
      await gateway.graphql.call('{ viewer { user { username } } }', { token }),
      await gateway.rest.get('/api/v1/notifications', { token }),
    ];
    for (const { status, requestId } of answers) {
      expect(status).toBe(500);
      expect(lines).toContainEqual(expect.objectContaining({ requestId, msg: 'unexpected error' }));
    }
  } finally {
    await gateway.app.database.rows('alter table api_token_away rename to api_token');
  }
});
