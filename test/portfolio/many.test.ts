import { expect, test } from '@jest/globals';
import { fillPortfolio } from '../support/portfolio.js';
import { startWatchedGateway } from '../support/watched-gateway.js';

/** All fields of the portfolio, with the largest page. */
const wholeBy = (
  field: string,
) => `{ portfolio(first: 200, orderBy: { field: ${field} }) { totalCount pageInfo { hasNextPage } nodes {
  organization { id name } role progress { total toDo inProgress done notApplicable } overdueControls
  incidents { open contained resolved closed overdue }
  nextDeadline { incident { id title severity status } regimeId regimeName stage number dueAt state } devicesDown } } }`;

const { gateway, testData, watch } = await startWatchedGateway();
const consultant = testData.userWithoutOrganization;
await fillPortfolio(gateway.app.database, consultant.id, 201);

const throughGraphQL = (field: string) => async () => {
  const { nodes, totalCount } = (await gateway.graphql.data(wholeBy(field), consultant)).portfolio;
  return { nodes, total: totalCount };
};

const REQUESTS: Readonly<Record<string, () => Promise<{ nodes: unknown[]; total: number }>>> = {
  GraphQL: throughGraphQL('NAME'),
  'GraphQL by next deadline': throughGraphQL('NEXT_DEADLINE'),
  'GraphQL by overdue controls': throughGraphQL('OVERDUE_CONTROLS'),
  REST: async () => {
    const { body } = await gateway.rest.get('/api/v1/v-ciso/overview?limit=200', consultant);
    return { nodes: body.data as unknown[], total: body.total as number };
  },
};

/** The minimum of three runs: after a delay of the machine, the cache is read again. */
async function statementsOf(send: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const all = await watch.during(send);
    // A token's use is written when no request waits for it.
    counts.push(all.filter((text) => !text.includes('update "api_token"')).length);
  }
  return Math.min(...counts);
}

test.each(Object.entries(REQUESTS))('200 organizations take at most four statements through %s', async (_api, send) => {
  const statements = await statementsOf(async () => {
    const { nodes, total } = await send();
    expect([nodes.length, total]).toEqual([200, 201]);
  });
  expect(statements).toBeGreaterThanOrEqual(3);
  expect(statements).toBeLessThanOrEqual(4);
});

test('what is not selected is not read', async () => {
  const send = () =>
    gateway.graphql.data('{ portfolio(first: 200) { nodes { organization { name } devicesDown } } }', consultant);
  expect(await statementsOf(send)).toBe(1);
});

test('the work in 200 organizations takes at most four statements', async () => {
  const send = () =>
    gateway.graphql.data(
      `{ work(assignee: ANYONE, first: 100) { totalCount nodes { kind title dueAt organization { name }
         control { label owner { username } } report { stage incident { title } } } } }`,
      consultant,
    );
  expect(await statementsOf(send)).toBeLessThanOrEqual(4);
});
