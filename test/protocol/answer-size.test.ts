import { expect, test } from '@jest/globals';
import { startSeededGateway } from '../support/seeded-gateway.js';
import { buildIncident } from '../support/test-data.js';

const { gateway, testData } = await startSeededGateway();
for (let count = 0; count < 25; count += 1) await buildIncident(gateway.app.database, testData.organizationId);
await gateway.app.database.rows(`update incident set description = repeat('x', 10000)`);

const query = (aliases: number) => {
  const texts = Array.from({ length: aliases }, (_, n) => `a${n}: description`).join(' ');
  return `{ organization(id: ${testData.organizationId}) { incidents(first: 25) { nodes { ${texts} } } } }`;
};
const SENTENCE = 'The answer exceeds the limit of 10000000 characters; ask for fewer fields or smaller pages';

test('an answer below the limit of its size is sent, one above it is refused each time', async () => {
  const { token } = testData.owner;
  const { incidents } = (await gateway.graphql.data(query(39), { token })).organization;
  expect(incidents.nodes[24].a38).toHaveLength(10_000);
  // First through the whole pipeline, then interpreted and compiled as a known query.
  for (let time = 0; time < 3; time += 1) {
    const { status, body, text } = await gateway.graphql.call(query(41), { token });
    expect([status, body.errors?.[0]?.extensions, body.data]).toEqual([
      400,
      { code: 'BAD_USER_INPUT', messages: [SENTENCE] },
      undefined,
    ]);
    expect(text.length).toBeLessThan(1_000);
  }
});
