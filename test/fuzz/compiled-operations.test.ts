import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildSchema, type GraphQLSchema } from 'graphql';
import { readFileSync } from 'node:fs';
import { seedDemo, type DemoFacts } from '../../src/demo/demo.js';
import { Random } from '../attack/support/random.js';
import { CATALOG } from '../support/catalog.js';
import { createTestDatabase } from '../support/database.js';
import { FieldByField } from '../support/field-by-field.js';
import type { TestGateway } from '../support/gateway.js';
import { startSharedGateway } from '../support/seeded-gateway.js';
import { differenceOf } from './compared-answers.js';
import { GeneratedDocuments } from './generated-documents.js';

const SEED = 20_261_125;

describe('generated documents, each executed four times,', () => {
  let gateway: TestGateway;
  let facts: DemoFacts;
  let schema: GraphQLSchema;
  let expected: FieldByField;

  beforeAll(async () => {
    const database = await createTestDatabase();
    gateway = await startSharedGateway({ database });
    const { config } = gateway;
    facts = (await seedDemo({ databaseUrl: database.url, config, catalog: CATALOG }))!;
    schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
    expected = new FieldByField(schema, async (query) => (await ask(query)).body);
  });

  const ask = (query: string, variables?: object, operationName?: string) =>
    gateway.graphql.call(query, { token: facts.tokens.owner, ...(variables && { variables }), ...(operationName && { operationName }) });

  test.each(['with conditions', 'without conditions'] as const)(
    '%s are answered as graphql-js answers them field by field',
    async (conditions) => {
      const documents = new GeneratedDocuments(schema, new Random(SEED), facts, conditions);
      const differences: string[] = [];
      for (let count = 0; count < 250; count += 1) {
        const difference = await differenceOf(documents.next(), expected, ask);
        if (difference !== undefined) differences.push(difference);
      }
      expect(differences.toSorted((one, other) => one.length - other.length)).toEqual([]);
    },
  );
});
